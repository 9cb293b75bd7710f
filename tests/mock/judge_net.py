#!/usr/bin/env python3
"""judge_net.py ASSAY - what a network can do to assay judge: certificates that
are not trusted, proxies, a server that means harm.

The servers listen on the local host; the certificate is made with openssl for
this run. Without openssl the test is skipped.
"""
import http.server
import json
import os
import shutil
import signal
import socket
import socketserver
import ssl
import subprocess
import sys
import tempfile
import threading
import time

ASSAY = os.path.realpath(sys.argv[1])
KEY = "sk-secret-of-the-test"
ANSWER = 'decision = "equivalent"'


def completion(text):
    return json.dumps({
        "choices": [{"message": {"content": text}, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 1000, "completion_tokens": 1000},
    }).encode()


class Server(socketserver.ThreadingMixIn, http.server.HTTPServer):
    daemon_threads = True
    request_queue_size = 64

    def handle_error(self, request, client_address):
        pass  # a client that does not trust us hangs up


class Model(http.server.BaseHTTPRequestHandler):
    """Answers with the next reply of server.replies; the last one for ever."""
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        server = self.server
        server.seen.append((time.monotonic(), self.headers, body))
        replies = server.replies
        status, headers, text = replies.pop(0) if len(replies) > 1 else replies[0]
        if callable(text):
            text = text(self.headers)
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *args):
        pass


class Proxy(http.server.BaseHTTPRequestHandler):
    """Hands requests on to where they ask for, and remembers them."""
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        import urllib.request
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.seen.append(self.path)
        request = urllib.request.Request(self.path, data=body)
        plain = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        with plain.open(request) as answer:
            text = answer.read()
        self.send_response(200)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *args):
        pass


def serve(handler, folder=None, replies=None, port=0):
    server = Server(("127.0.0.1", port), handler)
    server.seen = []
    server.replies = replies or [(200, {}, completion(ANSWER))]
    if folder:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(f"{folder}/cert.pem", f"{folder}/key.pem")
        server.socket = context.wrap_socket(server.socket, server_side=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server


def address(server, scheme="http"):
    return f"{scheme}://127.0.0.1:{server.server_address[1]}/v1"


class Outcome:
    pass


def judge(folder, base, *options, n=1, **variables):
    """Asks about n pairs; what came of it, with all that was written."""
    with open(f"{folder}/pairs.jsonl", "w", encoding="utf-8") as f:
        for i in range(n):
            f.write(f'{{"id":"{i}","left":"SELECT {i}","right":"SELECT {i} + 0"}}\n')
    for name in ("record.jsonl", "out.jsonl"):
        if os.path.exists(f"{folder}/{name}"):
            os.remove(f"{folder}/{name}")
    environment = {"PATH": os.environ["PATH"], "ASSAY_API_BASE": base,
                   "OPENAI_API_KEY": KEY, **variables}
    for name in ("ASAN_OPTIONS", "UBSAN_OPTIONS", "LD_LIBRARY_PATH"):
        if name in os.environ:
            environment[name] = os.environ[name]
    run = subprocess.run(
        [ASSAY, "judge", "--pairs", "pairs.jsonl", "--model", "m", "--out", "out.jsonl",
         "--record", "record.jsonl", *options],
        cwd=folder, env=environment, capture_output=True, check=False, timeout=120)
    it = Outcome()
    it.code = run.returncode
    it.lines = []
    it.written = run.stdout + run.stderr
    it.stderr = run.stderr
    for name in ("record.jsonl", "out.jsonl"):
        path = f"{folder}/{name}"
        if os.path.exists(path):
            with open(path, "rb") as f:
                text = f.read()
            it.written += text
            if name == "out.jsonl":
                it.lines = [json.loads(line) for line in text.splitlines()]
    assert KEY.encode() not in it.written, "the key was written down"
    return it


def decided(it, n=1):
    return [line["decision"] for line in it.lines] == ["equivalent"] * n


# --- the tests: each is a function of a folder --------------------------------

def a_certificate_that_is_not_trusted_is_refused(folder):
    server = serve(Model, folder)
    it = judge(folder, address(server, "https"))
    assert it.code == 3 and it.lines[0]["decision"] == "unclear", it.written
    assert "certificate" in it.lines[0]["words"].lower(), it.lines
    assert not server.seen, "the request, and the key, went out all the same"


def a_certificate_that_is_named_is_trusted(folder):
    server = serve(Model, folder)
    base = address(server, "https")
    for variable in ("SSL_CERT_FILE", "CURL_CA_BUNDLE"):
        it = judge(folder, base, **{variable: f"{folder}/cert.pem"})
        assert it.code == 0 and decided(it), (variable, it.written)
    assert server.seen[0][1]["Authorization"] == f"Bearer {KEY}"


def a_certificate_for_another_name_is_refused(folder):
    server = serve(Model, folder)
    base = address(server, "https").replace("127.0.0.1", "localhost")
    it = judge(folder, base, SSL_CERT_FILE=f"{folder}/cert.pem")
    assert it.code == 3 and not server.seen, it.written


def a_certificate_file_that_is_none_is_an_error(folder):
    server = serve(Model, folder)
    it = judge(folder, address(server, "https"), SSL_CERT_FILE=f"{folder}/no.pem")
    assert it.code == 3 and not server.seen, it.written


def proxy_variables_are_honoured(folder):
    server = serve(Model)
    proxy = serve(Proxy)
    where = f"http://127.0.0.1:{proxy.server_address[1]}"
    it = judge(folder, address(server), http_proxy=where)
    assert it.code == 0 and decided(it), it.written
    assert proxy.seen == [address(server) + "/chat/completions"], proxy.seen
    it = judge(folder, address(server), http_proxy=where, no_proxy="127.0.0.1")
    assert decided(it) and len(proxy.seen) == 1, proxy.seen


def retry_after_is_waited_for(folder):
    server = serve(Model, replies=[(429, {"Retry-After": "2"}, b"slow down"),
                                   (200, {}, completion(ANSWER))])
    it = judge(folder, address(server))
    assert it.code == 0 and decided(it), it.written
    assert server.seen[1][0] - server.seen[0][0] >= 1.9, "sent before its time"


def a_key_that_comes_back_is_not_shown(folder):
    echo = lambda headers: json.dumps(
        {"error": {"message": "bad key: " + headers["Authorization"]}}).encode()
    server = serve(Model, replies=[(401, {}, echo)])
    it = judge(folder, address(server))
    assert it.code == 3 and "bad key: Bearer ***" in it.lines[0]["words"], it.lines
    # In escapes of JSON, which a parser undoes; in escapes of escapes; where
    # there is no JSON; and where it is cut.
    escaped = "".join(f"\\u{ord(c):04x}" for c in KEY)
    for body in (b'{"error": {"message": "' + escaped.encode() + b'"}}',
                 b'{"error": {"message": "' + escaped.replace("\\", "\\\\").encode() + b'"}}',
                 b"no JSON: " + escaped.encode(),
                 b"no JSON: " + b"." * 180 + KEY.encode()):
        server = serve(Model, replies=[(401, {}, body)])
        it = judge(folder, address(server))
        shown = it.written.decode() + str(it.lines)
        assert it.code == 3 and "***" in shown, shown
        assert KEY[:9] not in shown and escaped[:12] not in shown, shown


def a_short_key_leaves_answers_as_they_came(folder):
    for key in ("x", "1", "0", "a", "sk", "null", "true", "token", "message", "choices"):
        server = serve(Model, replies=[(200, {}, completion(ANSWER + " max 10 token"))])
        it = judge(folder, address(server), OPENAI_API_KEY=key)
        assert it.code == 0 and decided(it) and b"max 10 token" in it.written, (key, it.written)
        assert b"1000 tokens in" in it.written or b'"tokens_in":1000' in it.written, (key, it.written)


def a_wrong_key_ends_the_run_at_once(folder):
    server = serve(Model, replies=[(401, {}, b'{"error": {"message": "bad key"}}')])
    it = judge(folder, address(server), "--concurrency", "2", n=30)
    assert it.code == 3 and len(server.seen) <= 2, len(server.seen)
    assert b"30 questions got no answer: HTTP 401: bad key (http://127" in it.stderr, it.stderr
    # A server that has answered may refuse one call.
    server = serve(Model, replies=[(200, {}, completion(ANSWER)),
                                   (404, {}, b"not now"), (200, {}, completion(ANSWER))])
    it = judge(folder, address(server), "--concurrency", "1", n=4)
    assert it.code == 3 and len(server.seen) == 4, len(server.seen)


def where_nobody_listens_the_run_ends_at_once(folder):
    with socket.socket() as taken:  # bound, so that no other takes it; deaf
        taken.bind(("127.0.0.1", 0))
        base = f"http://127.0.0.1:{taken.getsockname()[1]}/v1"
        it = judge(folder, base, "--concurrency", "2", n=30)
        assert it.code == 3 and b"0 calls (4 tries)" in it.stderr, it.stderr
        assert b"30 questions got no answer: Failed to connect to 127" in it.stderr
        assert f"({base})".encode() in it.stderr, it.stderr


def a_server_that_is_restarted_is_waited_for(folder):
    """It answers once and is gone for a while. The client finds that out by a
    call of its own, unless it is slower than the server comes back."""
    first = serve(Model, replies=[(200, {"Connection": "close"}, completion(ANSWER))])
    seen = first.seen

    def restart():
        while not seen:
            time.sleep(0.01)
        first.shutdown()
        first.server_close()
        time.sleep(1)
        serve(Model, port=first.server_address[1]).seen = seen

    thread = threading.Thread(target=restart)
    thread.start()
    it = judge(folder, address(first), "--concurrency", "1", n=5)
    thread.join()
    assert it.code == 0 and decided(it, 5), it.written


def a_key_with_a_line_break_is_no_header(folder):
    server = serve(Model)
    it = judge(folder, address(server), OPENAI_API_KEY="a\r\nX-Other: b")
    assert it.code == 3 and not server.seen, it.written
    it = judge(folder, address(server), OPENAI_API_KEY=KEY + "\n")
    assert it.code == 0 and server.seen[0][1]["Authorization"] == f"Bearer {KEY}"


def redirects_are_not_followed(folder):
    other = serve(Model)
    server = serve(Model, replies=[
        (307, {"Location": address(other) + "/chat/completions"}, b"")])
    it = judge(folder, address(server))
    assert it.code == 3 and not other.seen, it.written


def a_response_without_end_is_cut_off(folder):
    server = serve(Model, replies=[(200, {}, completion("x" * (5 << 20)))])
    it = judge(folder, address(server), "--tries", "1")
    assert it.code == 3 and "longer than" in it.lines[0]["words"], it.lines


def a_tree_of_nothing_is_no_answer(folder):
    for body in (b"[" * 100000, b"[" + b"0," * 1500000 + b"0]",
                 b'{"choices":[' + b"[" * 1900 + b"]" * 1900 + b"]}",
                 b'{"choices":[{"message":{"content":{}}}]}', b"\x00\xff" * 1000, b""):
        server = serve(Model, replies=[(200, {}, body)])
        it = judge(folder, address(server), "--tries", "1")
        assert it.code == 3 and it.lines[0]["rule"] == "no_answer", it.lines


def an_answer_of_braces_is_read_in_time(folder):
    text = '{"a":{"b":' * 100000
    server = serve(Model, replies=[(200, {}, completion(text))])
    it = judge(folder, address(server), "--prompt", "grounded", "--rounds", "1")
    assert it.lines[0]["decision"] == "unclear", it.lines


def control_characters_stay_in_the_files(folder):
    server = serve(Model, replies=[(400, {}, b"\x1b[31mred\x07"),])
    it = judge(folder, address(server))
    assert b"\x1b" not in it.written and b"\x07" not in it.written, it.written


def max_cost_stops(folder):
    with open(f"{folder}/prices.json", "w", encoding="utf-8") as f:
        f.write('{"m":{"in":1000,"out":1000}}')  # two a call
    server = serve(Model)
    it = judge(folder, address(server), "--prices", "prices.json", "--max-cost", "5",
               "--concurrency", "1", n=8)
    assert it.code == 3 and 1 <= len(server.seen) <= 3, len(server.seen)
    assert b"stopped by --max-cost" in it.stderr, it.stderr


def what_a_record_lacks_is_asked_where_that_is_allowed(folder):
    with open(f"{folder}/known.jsonl", "w", encoding="utf-8") as f:
        f.write(json.dumps({"id": "0", "response": ANSWER}) + "\n")
    server = serve(Model)
    it = judge(folder, address(server), "--replay", "known.jsonl", n=3)
    assert it.code == 3 and not server.seen, it.written
    it = judge(folder, address(server), "--replay", "known.jsonl", "--allow-live", n=3)
    assert it.code == 0 and decided(it, 3) and len(server.seen) == 2, it.written


def main():
    # A test that is stopped leaves its folder behind unless it may clean up.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    if not shutil.which("openssl"):
        print("1..0 # SKIP there is no openssl to make a certificate")
        return
    tests = [test for name, test in globals().items()
             if callable(test) and getattr(test, "__code__", None)
             and test.__code__.co_varnames[:1] == ("folder",)
             and test.__code__.co_argcount == 1]
    assert len(tests) >= 18, len(tests)
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2",
             "-subj", "/CN=assay test", "-addext", "subjectAltName=IP:127.0.0.1",
             "-keyout", f"{folder}/key.pem", "-out", f"{folder}/cert.pem"],
            check=True, capture_output=True)
        print(f"1..{len(tests)}")
        failed = 0
        for number, test in enumerate(tests, 1):
            try:
                test(folder)
                print(f"ok {number} - {test.__name__}")
            except AssertionError as e:
                failed += 1
                print(f"not ok {number} - {test.__name__}\n# {str(e)[:2000]}")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
