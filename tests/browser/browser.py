"""browser.py - Chromium without a window, driven over its DevTools pipe.

    with Browser(path) as browser:
        page = browser.page(width=1280, height=800)
        page.open("file:///…/report.html")
        page.js("document.title")

Messages are JSON ended by NUL, on file descriptors 3 (to the browser) and 4.
A page collects what must not happen: errors on its console, exceptions,
requests to anything but its own file.
"""
import base64
import json
import os
import shutil
import signal
import struct
import subprocess
import tempfile
import time
import zlib

NAMES = ("chromium", "chromium-browser", "google-chrome")
PATIENCE = 60  # seconds for one answer


def find():
    """The program, or None."""
    return os.environ.get("ASSAY_BROWSER") or next(filter(None, map(shutil.which, NAMES)), None)


class Browser:
    def __init__(self, program):
        signal.signal(signal.SIGTERM, signal.default_int_handler)  # clean up
        self.folder = tempfile.mkdtemp(prefix="assay-browser-")
        to_read, self.to = os.pipe()
        self.answers, to_write = os.pipe()
        # Above 4, so that neither takes the place of the other.
        pipes = [os.dup2(fd, 60 + i) for i, fd in enumerate((to_read, to_write))]

        def take_places():
            os.dup2(pipes[0], 3)
            os.dup2(pipes[1], 4)

        self.process = subprocess.Popen(
            [program, "--headless=new", "--no-sandbox", "--remote-debugging-pipe", "--disable-gpu",
             "--no-first-run", "--disable-dev-shm-usage", "--hide-scrollbars", "--force-color-profile=srgb",
             "--font-render-hinting=none", "--disable-background-networking", "--disable-component-update",
             f"--user-data-dir={self.folder}"],
            preexec_fn=take_places, close_fds=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for fd in (to_read, to_write, *pipes):
            os.close(fd)
        self.rest = b""
        self.number = 0
        self.pages = {}

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    def read(self, deadline):
        while b"\0" not in self.rest:
            if time.monotonic() > deadline:
                raise TimeoutError("the browser does not answer")
            part = os.read(self.answers, 1 << 20)
            if not part:
                raise EOFError("the browser ended")
            self.rest += part
        message, _, self.rest = self.rest.partition(b"\0")
        return json.loads(message)

    def call(self, method, params=None, session=None):
        self.number += 1
        message = {"id": self.number, "method": method, "params": params or {}}
        if session:
            message["sessionId"] = session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self.to, data):]
        deadline = time.monotonic() + PATIENCE
        while True:
            answer = self.read(deadline)
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']['message']}")
                return answer["result"]
            if answer.get("sessionId") in self.pages:
                self.pages[answer["sessionId"]].take(answer)

    def page(self, width=1280, height=800, scheme="light", scale=1):
        return Page(self, width, height, scheme, scale)


class Page:
    def __init__(self, browser, width, height, scheme, scale):
        self.browser = browser
        self.faults = []
        self.url = None
        target = browser.call("Target.createTarget", {"url": "about:blank"})["targetId"]
        self.session = browser.call("Target.attachToTarget", {"targetId": target, "flatten": True})["sessionId"]
        browser.pages[self.session] = self
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.call(f"{domain}.enable")
        self.call("Emulation.setDeviceMetricsOverride",
                  {"width": width, "height": height, "deviceScaleFactor": scale, "mobile": False})
        self.scheme(scheme)

    def call(self, method, params=None):
        return self.browser.call(method, params, self.session)

    def take(self, event):
        """What must not happen is kept."""
        params = event.get("params", {})
        kind = event["method"]
        if kind == "Runtime.exceptionThrown":
            details = params["exceptionDetails"]
            self.faults.append(details.get("exception", {}).get("description", details["text"]))
        elif kind == "Runtime.consoleAPICalled":
            self.faults.append(f"console: {params['args']}")
        elif kind == "Log.entryAdded" and params["entry"]["level"] == "error":
            self.faults.append(f"log: {params['entry']['text']}")
        elif kind == "Network.requestWillBeSent":
            asked = params["request"]["url"].split("#")[0]
            if not asked.startswith(("blob:", "about:")) and asked != (self.url or "").split("#")[0]:
                self.faults.append(f"request: {asked[:200]}")

    def scheme(self, name, media=""):
        self.call("Emulation.setEmulatedMedia", {
            "media": media, "features": [{"name": "prefers-color-scheme", "value": name}]})

    def open(self, url):
        """Opens the page anew, also where only its hash differs."""
        self.url = None
        self.call("Page.navigate", {"url": "about:blank"})
        self.url = url
        self.call("Page.navigate", {"url": url})
        self.until("document.documentElement?.dataset.ready === 'yes'")

    def js(self, text):
        """The value of an expression; promises are waited for."""
        answer = self.call("Runtime.evaluate", {"expression": text, "returnByValue": True, "awaitPromise": True})
        if "exceptionDetails" in answer:
            raise RuntimeError(f"{text}: {answer['exceptionDetails'].get('exception', {}).get('description')}")
        return answer["result"].get("value")

    def until(self, text):
        deadline = time.monotonic() + PATIENCE
        while not self.js(text):
            if time.monotonic() > deadline:
                raise TimeoutError(f"never so: {text}; {self.faults}")
            time.sleep(0.02)

    def key(self, name, text=None):
        for kind in ("keyDown", "keyUp"):
            event = {"type": kind, "key": name, "code": name, "windowsVirtualKeyCode": KEYS.get(name, 0)}
            if text and kind == "keyDown":
                event["text"] = text
            self.call("Input.dispatchKeyEvent", event)

    def type(self, text):
        self.call("Input.insertText", {"text": text})

    def picture(self, path, clip=None):
        params = {"format": "png"}
        if clip:
            params["clip"] = {**clip, "scale": 1}
        data = smaller(base64.b64decode(self.call("Page.captureScreenshot", params)["data"]))
        with open(path, "wb") as file:
            file.write(data)
        return len(data)

    def pdf(self):
        return base64.b64decode(self.call("Page.printToPDF", {"printBackground": True})["data"])


def smaller(png):
    """A PNG file whose pixels are compressed with more patience."""
    parts, pixels, at = [], b"", 8
    while at < len(png):
        size, kind = struct.unpack(">I4s", png[at:at + 8])
        body = png[at + 8:at + 8 + size]
        at += size + 12
        if kind == b"IDAT":
            pixels += body
        else:
            parts.append((kind, body))
    parts.insert(-1, (b"IDAT", zlib.compress(zlib.decompress(pixels), 9)))
    return png[:8] + b"".join(struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
                              for kind, body in parts)


KEYS = {"Tab": 9, "Enter": 13, "Escape": 27, "PageUp": 33, "PageDown": 34, "End": 35, "Home": 36,
        "ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40}
