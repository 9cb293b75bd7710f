#!/usr/bin/env python3
"""serve.py ASSAY - `assay serve` in use, and under what goes wrong.

Verdicts are those of `assay worker`; queries that hang, clients that leave, a
full queue, wrong tokens, broken HTTP, signals, workers that are killed: every
request that was taken has one answer, those of others as if nothing had
happened. TAP; skipped where the program was built without libmicrohttpd.
"""
import atexit
import contextlib
import http.client
import json
import os
import pathlib
import random
import re
import resource
import select
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time

HANG = ("WITH RECURSIVE r(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM r) "
        "SELECT count(*) FROM r")
LONG_CALL = "SELECT hex(randomblob(400000000))"
BLOB = "SELECT group_concat(hex(zeroblob(4000000))) FROM t a, t b, t c"
TOKEN = "correct-horse-battery"
OPTIONS = ["--metrics", "exec", "--no-times", "--jobs", "2", "--memory", "300",
           "--work", "none"]
N_CHANGED = 4000


# Clients of a port are told apart by their address.
CROWD = ("127.0.0.2", 0)


class UnixConnection(http.client.HTTPConnection):
    def __init__(self, path):
        super().__init__("localhost", timeout=120)
        self.path = path

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.sock.settimeout(120)
        self.sock.connect(self.path)


class Server:
    """One that runs, at a free port or at a socket."""

    def __init__(self, assay, db, *more, path=None, timeout="2"):
        self.path = path
        self.p = subprocess.Popen(
            [assay, "serve", "--db", db, *OPTIONS, "--timeout", timeout,
             "--listen", f"unix:{path}" if path else "127.0.0.1:0", *more],
            stderr=subprocess.PIPE, env={**os.environ, "ASSAY_TEST_TOKEN": TOKEN})
        atexit.register(self.p.kill)
        self.said = b""
        line = b" "
        while line and b"listening on" not in line:
            line = self.p.stderr.readline()
            self.said += line
        found = re.search(rb"http://127\.0\.0\.1:(\d+)", line)
        self.port = int(found[1]) if found else 0

    def connect(self, source=None):
        if self.path:
            return UnixConnection(self.path)
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=120,
                                          source_address=source)

    def dial(self, sent, source=CROWD):
        """A socket that sent this."""
        c = socket.create_connection(("127.0.0.1", self.port), 60, source)
        c.sendall(sent)
        return c

    def ask(self, method, path, body=None, **headers):
        """Status, headers and bytes of an answer."""
        c = self.connect()
        c.request(method, path, body,
                  {k.replace("_", "-"): v for k, v in headers.items()})
        r = c.getresponse()
        out = r.status, dict(r.getheaders()), r.read()
        c.close()
        return out

    def score(self, lines, query="", **headers):
        status, _, out = self.ask("POST", "/v1/score" + query,
                                  "".join(lines).encode(), **headers)
        return status, [json.loads(x) for x in out.splitlines()]

    def send_part(self, body, length, source=None):
        """Of a body that is said to be longer; the connection."""
        c = self.connect(source)
        c.putrequest("POST", "/v1/score")
        c.putheader("Content-Length", str(length))
        c.endheaders()
        c.send(body)
        return c

    def figure(self, name):
        text = self.ask("GET", "/metrics")[2].decode()
        return float(re.search(rf"^assay_{name} (\S+)$", text, re.M)[1])

    def end(self, number=signal.SIGTERM):
        self.p.send_signal(number)
        self.said += self.p.stderr.read()
        return self.p.wait()


def line(number, pred="SELECT 200", gold="SELECT count(*) FROM t"):
    return json.dumps({"id": number, "gold": gold, "pred": pred}) + "\n"


def verdict(answer):
    return answer["verdicts"]["exec"]["v"]


def children(pid):
    text = pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text()
    return [int(word) for word in text.split()]


def wait_until(what, seconds=60):
    end = time.monotonic() + seconds
    while not what() and time.monotonic() < end:
        time.sleep(0.01)
    return what()


def readable(sockets):
    """Those of many with an answer or an end; select() takes no large files."""
    by_file = {c.fileno(): c for c in sockets}
    asked = select.poll()
    for number in by_file:
        asked.register(number, select.POLLIN)
    return [by_file[number] for number, _ in asked.poll(0)]


def described(assay, db):
    """The paths of /openapi.json are those that are answered, and no other."""
    s = Server(assay, db)
    status, _, text = s.ask("GET", "/openapi.json")
    paths = json.loads(text)["paths"]
    ok = status == 200 and set(paths) == {
        "/v1/score", "/v1/check", "/v1/version", "/healthz", "/metrics", "/openapi.json"}
    for path, methods in paths.items():
        (method, about), = methods.items()
        status, headers, _ = s.ask(method.upper(), path,
                                   line(1) if method == "post" else None)
        media, = about["responses"]["200"]["content"]
        ok &= status == 200 and headers["Content-Type"].startswith(media)
        status, headers, _ = s.ask("DELETE", path)
        ok &= status == 405 and headers["Allow"] == method.upper()
    ok &= s.ask("GET", "/v1")[0] == 404 and s.ask("GET", "/healthz/")[0] == 404
    ok &= s.ask("HEAD", "/healthz")[0] == 200
    return ok and s.end() == 0


def pairs(assay, db):
    """Pairs of queries, as worker answers them; one that hangs, and others."""
    def pair(number, left, right):
        return json.dumps({"id": number, "left": left, "right": right}) + "\n"
    body = "".join([pair(1, "SELECT count(*) FROM t", "SELECT count(1) FROM t"),
                    pair(2, "SELECT a FROM t", "SELECT DISTINCT a FROM t"),
                    pair(3, "SELECT 1", HANG), pair(4, "", "SELECT 1"),
                    line(5), pair(6, "SELECT a FROM t", "SELECT a FROM t")])
    wanted = subprocess.run([assay, "worker", "--db", db, *OPTIONS, "--timeout",
                             "2", "-q", "--ordered"], input=body.encode(),
                            capture_output=True).stdout
    s = Server(assay, db)
    status, _, out = s.ask("POST", "/v1/check?ordered=1", body)
    said = [json.loads(x) for x in out.splitlines()]
    ok = status == 200 and out == wanted
    ok &= [x.get("answer") for x in said] == [
        "equivalent", "different", "unknown", None, None, "equivalent"]
    ok &= said[1]["reason"] == "duplicates_differ" and "INSERT" in said[1]["rows"]
    ok &= "error" in said[3] and verdict(said[4]) == "yes"
    ok &= s.ask("POST", "/v1/check", pair(1, "", "x"))[0] == 400
    return ok and s.end() == 0


def same_as_worker(assay, db):
    """Bytes of answers, in order and not, at a port and at a socket."""
    lines = [line(i, f"SELECT {i % 300}") for i in range(500)]
    lines += ["\n", "nonsense\n", '{"gold":"SELECT 1","pred":"SELECT 1"}\n',
              '{"ping":7}\n', "[1]\n", '{"id":{"a":[1]},"gold":"SELECT 1"}\n']
    body = "".join(lines)
    wanted = subprocess.run(
        [assay, "worker", "--db", db, *OPTIONS, "--timeout", "2", "-q",
         "--ordered"], input=body.encode(), capture_output=True).stdout
    # In worker a ping does not wait for its turn; here it is not a request.
    wanted = [x for x in wanted.splitlines() if b"ping" not in x]
    ok = len(wanted) == 504
    no_ping = b'"line":504,"error":'
    for path in None, db + ".sock":
        s = Server(assay, db, path=path)
        for query in "", "?ordered=1":
            status, _, out = s.ask("POST", "/v1/score" + query, body)
            got = out.splitlines()
            ok &= status == 200 and any(no_ping in x for x in got)
            got = [x for x in got if no_ping not in x]
            ok &= (got if query else sorted(got)) == (
                wanted if query else sorted(wanted))
        ok &= s.end() == 0
    return ok


def control_is_not_for_clients(assay, db):
    """What looks like a message of control is a line, with one answer; nobody
    else's query is stopped by it, and the server goes on and ends."""
    words = ['{"cancel":%d}' % i for i in range(12)]
    words += [' { "cancel" : 0 } ', '{"cancel":-1}', '{"ping":1}', "!cancel 0",
              "!ping", "0 !cancel 0", "1 2 {\"cancel\":0}", "!cancel 0 !ping",
              '{"cancel":0}\r', '\t!cancel 0', '{"cancel":18446744073709551616}']
    s = Server(assay, db, timeout="3")
    stuck = s.connect()
    stuck.request("POST", "/v1/score", line(1, HANG))
    ok = wait_until(lambda: s.figure("in_flight") == 1)
    for word in words:
        status, found = s.score([word + "\n"], Content_Type="application/jsonl")
        ok &= status == 200 and len(found) == 1 and "error" in found[0]
    status, found = s.score(x + "\n" for x in words)
    ok &= status == 200 and len(found) == len(words)
    status, found = s.score([line(2)])
    ok &= status == 200 and verdict(found[0]) == "yes"
    answer = json.loads(stuck.getresponse().read())
    ok &= answer["verdicts"]["exec"]["reason"] == "timeout"
    ok &= s.figure("in_flight") == 0
    began = time.monotonic()
    return ok and s.end() == 0 and time.monotonic() - began < 30


def one_object(assay, db):
    """A body that is one object has one answer, with its status."""
    s = Server(assay, db)
    pretty = json.dumps(json.loads(line(3)), indent=2)
    as_json = {"Content_Type": "application/json; charset=utf-8"}
    status, found = s.score([pretty], **as_json)
    ok = status == 200 and found[0]["id"] == 3 and verdict(found[0]) == "yes"
    status, found = s.score([line(4, "SELECT 1")])
    ok &= status == 200 and verdict(found[0]) == "no"
    status, found = s.score(["{]"], **as_json)
    ok &= status == 400 and "error" in found[0]
    status, found = s.score([line(5), line(6)], **as_json)
    ok &= status == 400 and len(found) == 1
    status, found = s.score(["{]\n"], Content_Type="application/jsonl")
    ok &= status == 200 and "error" in found[0]
    status, found = s.score(["\n \n"])
    ok &= status == 400 and "error" in found[0]
    return ok and s.end() == 0


def hostile(assay, db):
    """Each of them has its verdict; all others are right."""
    evil = {7: HANG, 33: LONG_CALL, 60: BLOB, 90: HANG + " WHERE 1"}
    s = Server(assay, db)
    status, found = s.score(line(i, evil.get(i, "SELECT 200"))
                            for i in range(120))
    ok = status == 200 and sorted(a["id"] for a in found) == list(range(120))
    for a in found:
        v = a["verdicts"]["exec"]
        ok &= (v["reason"] in ("timeout", "memory", "columns_differ")
               if a["id"] in evil else v["v"] == "yes")
    return ok and s.end() == 0


def nobody_waits(assay, db):
    """While one query hangs, others come and go."""
    s = Server(assay, db, timeout="60")
    stuck = s.connect()
    stuck.request("POST", "/v1/score", line(1, HANG))
    ok = wait_until(lambda: s.figure("in_flight") == 1)
    for i in range(50):
        status, found = s.score([line(i)])
        ok &= status == 200 and verdict(found[0]) == "yes"
    ok &= s.figure("in_flight") == 1
    stuck.close()
    return ok and s.end() == 0


def takes_turns(assay, db):
    """Who sends one line does not wait for who sent many."""
    s = Server(assay, db)
    c = s.connect()
    c.request("POST", "/v1/score",
              "".join(line(i, f"{HANG} WHERE {i + 1}") for i in range(60)))
    ok = wait_until(lambda: s.figure("in_flight") + s.figure("queue_length") > 50)
    status, found = s.score([line(1)])
    ok &= status == 200 and verdict(found[0]) == "yes"
    ok &= s.figure("queue_length") > 20
    c.close()
    return ok and s.end() == 0


def client_leaves(assay, db):
    """Its lines are forgotten, those that run are stopped."""
    s = Server(assay, db, "--max-queue", "2000", timeout="600")
    c = s.connect()
    c.request("POST", "/v1/score", "".join(line(i, HANG) for i in range(300)))
    ok = wait_until(lambda: s.figure("in_flight") + s.figure("queue_length")
                    == 300)
    c.close()
    ok &= wait_until(lambda: s.figure("clients_gone_total") == 1)
    ok &= s.figure("queue_length") == 0
    ok &= wait_until(lambda: s.figure("in_flight") == 0)
    # Before its answers are read, in the middle of a body, before it begins.
    body = "".join(line(i) for i in range(300)).encode()
    for number, sent in enumerate((body, body[:1000], b""), 2):
        s.send_part(sent, len(body)).close()
        ok &= wait_until(lambda: s.figure("clients_gone_total") == number, 20)
    return ok and s.end() == 0


def full_queue(assay, db):
    """503 for who comes, patience for who has begun."""
    s = Server(assay, db, "--max-queue", "4", timeout="60")
    c = s.connect()
    c.request("POST", "/v1/score", "".join(line(i, HANG) for i in range(9)))
    ok = wait_until(lambda: s.figure("in_flight") + s.figure("queue_length")
                    == 4)
    status, headers, text = s.ask("POST", "/v1/score", line(1))
    ok &= status == 503 and headers["Retry-After"] == "1"
    ok &= json.loads(text) == {"error": "the queue is full"}
    ok &= s.ask("GET", "/healthz")[0] == 200
    c.close()
    ok &= s.end() == 0
    s = Server(assay, db, "--max-queue", "4")
    status, found = s.score(line(i) for i in range(400))
    ok &= status == 200 and len(found) == 400
    ok &= all(verdict(a) == "yes" for a in found)
    return ok and s.end() == 0


def full_of_bytes(assay, db):
    """Of lines that wait 64 MB are held, however few they are; the others wait outside."""
    s = Server(assay, db, timeout="20")
    clients = [s.connect() for _ in range(2)]

    def post(c, first):
        with contextlib.suppress(OSError):  # closed below, before it is sent
            c.request("POST", "/v1/score", "".join(json.dumps(
                {"id": first + k, "gold": "SELECT 1", "pred": HANG,
                 "question": "x" * 7_000_000}) + "\n" for k in range(6)))

    for i, c in enumerate(clients):
        threading.Thread(target=post, args=(c, 10 * i), daemon=True).start()

    def held():
        return s.figure("in_flight") + s.figure("queue_length")

    ok = wait_until(lambda: held() >= 6)
    time.sleep(2)  # in which the rest would come
    ok &= held() < 10 and s.ask("GET", "/healthz")[0] == 200
    for c in clients:
        c.close()
    s.end()
    return ok


def token(assay, db):
    """Who has none is told so, and learns nothing of it."""
    s = Server(assay, db, "--token-env", "ASSAY_TEST_TOKEN")
    ok = s.ask("GET", "/healthz")[0] == 200
    for given in (None, TOKEN, "Bearer", "Bearer ", "Bearer " + TOKEN[:-1],
                  "Bearer " + TOKEN + "x", "Bearer " + "x" * len(TOKEN),
                  "Basic " + TOKEN):
        headers = {"Authorization": given} if given else {}
        for method, path in (("POST", "/v1/score"), ("GET", "/metrics"),
                             ("GET", "/no")):
            status, back, _ = s.ask(method, path, "{}", **headers)
            ok &= status == 401 and back["WWW-Authenticate"] == "Bearer"
    status, found = s.score([line(1)], Authorization="Bearer " + TOKEN)
    ok &= status == 200 and verdict(found[0]) == "yes"
    ok &= s.end() == 0 and TOKEN.encode() not in s.said
    s = Server(assay, db)
    ok &= s.ask("POST", "/v1/score", line(1), Origin="http://a.b")[0] == 403
    return ok and s.end() == 0


def wrong_use(assay, db):
    """Exit 2, and what to do."""
    ok = True
    for words in (["--listen", "0.0.0.0:0"], ["--listen", "[::]:0"],
                  ["--listen", "localhost:80"], ["--listen", "127.0.0.1"],
                  ["--listen", "unix:"], ["--listen", "unix:" + "x" * 200],
                  ["--token-env", "ASSAY_TEST_NO_SUCH"], ["--max-queue", "0"]):
        p = subprocess.run([assay, "serve", "--db", db, *words],
                           capture_output=True, text=True)
        ok &= p.returncode == 2 and "assay help serve" in p.stderr
    p = subprocess.run([assay, "serve", "--db", db, "--listen",
                        "unix:/nowhere/at/all"], capture_output=True)
    return ok and p.returncode == 3


def broken_http(assay, db):
    """What is no HTTP costs a connection."""
    s = Server(assay, db)
    long = b"GET / HTTP/1.1\r\nX: " + b"x" * 200000 + b"\r\n\r\n"
    chunks = (b"POST /v1/score HTTP/1.1\r\nHost: a\r\n"
              b"Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n")
    for sent in (b"", b"\0" * 5000, b"nonsense\r\n\r\n", long, chunks,
                 b"GET / HTTP/9.9\r\n\r\n", b"POST /v1/score HTTP/1.1\r\n"
                 b"Host: a\r\nContent-Length: -5\r\n\r\n{}",
                 os.urandom(20000)):
        with socket.create_connection(("127.0.0.1", s.port), 60) as c:
            try:
                c.sendall(sent)
                c.shutdown(socket.SHUT_WR)
                while c.recv(65536):
                    pass
            except OSError:
                pass
    status, found = s.score([line(1)])
    return status == 200 and verdict(found[0]) == "yes" and s.end() == 0


def changed(rng, text):
    """The bytes with up to eight changes of a few bytes each."""
    out = bytearray(text)
    for _ in range(rng.randint(1, 8)):
        at = rng.randrange(len(out) + 1)
        end = min(len(out), at + rng.choice((0, 1, 1, 2, 20)))
        out[at:end] = rng.choice((
            b"", rng.randbytes(rng.randint(1, 4)), bytes(out[at:end]) * 2,
            rng.choice((b"\r\n", b"\r", b":", b" ", b"0", b"-1", b"\0",
                        b"Content-Length: 7\r\n", b"99999999999999999999",
                        b"Transfer-Encoding: chunked\r\n", b"\xff\xfe"))))
    return bytes(out)


def changed_http(assay, db):
    """Requests with bytes changed cost their connection at most."""
    body = line(1).encode() + line(2, HANG).encode()
    head = b"POST /v1/score HTTP/1.1\r\nHost: a\r\n"
    requests = (
        head + b"Content-Length: %d\r\n\r\n" % len(body) + body,
        head + b"Transfer-Encoding: chunked\r\n\r\n%x\r\n" % len(body) + body
        + b"\r\n0\r\n\r\n",
        head + b"Expect: 100-continue\r\nContent-Length: 9\r\n\r\n",
        b"GET /metrics HTTP/1.1\r\nHost: a\r\n\r\nGET /healthz HTTP/1.1\r\n"
        b"Host: a\r\n\r\n")
    s = Server(assay, db, timeout="0.1")
    rng = random.Random(1)
    n_answers, ok = 0, True
    for i in range(N_CHANGED):
        sent = changed(rng, requests[i % len(requests)])
        got = b""
        try:
            with s.dial(sent) as c:
                c.shutdown(socket.SHUT_WR)
                while part := c.recv(65536):
                    got += part
        except TimeoutError:
            ok = False
            print("# no end:", sent)
        except OSError:
            pass
        n_answers += got.startswith(b"HTTP/1.1 ")
        if b"HTTP/1.1 500" in got or (got and not got.startswith(b"HTTP/1.")):
            ok = False
            print("#", sent, got[:80])
    status, found = s.score([line(1)])
    return (ok and n_answers > N_CHANGED // 2 and status == 200
            and verdict(found[0]) == "yes" and s.end() == 0)


def memory_of(pid):
    """Of a process and all below it, in kB that are its own."""
    text = pathlib.Path(f"/proc/{pid}/smaps_rollup").read_text()
    own = sum(int(n) for n in re.findall(r"^Private_\w+:\s+(\d+)", text, re.M))
    return own + sum(memory_of(child) for child in children(pid))


def many_requests(assay, db):
    """100,000 requests, clients that go and workers that are killed: no leak.

    Of every 100 clients one leaves in the middle of its request, and every
    10,000 requests a worker is killed.
    """
    s = Server(assay, db)
    judge, = children(s.p.pid)
    kept = s.connect()
    early, ok = 0, True
    for i in range(100_000):
        kept.request("POST", "/v1/score", line(i, f"SELECT {i % 1000}"))
        r = kept.getresponse()
        right = "yes" if i % 1000 == 200 else "no"
        ok &= r.status == 200 and verdict(json.loads(r.read())) == right
        if i % 100 == 0:
            gone = s.send_part(line(0).encode()[:-9], 5000)
            gone.sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER,
                                 struct.pack("ii", 1, 0))
            gone.close()
        if i % 10_000 == 5_000:
            os.kill(children(judge)[0], signal.SIGKILL)
        if i == 20_000:
            early = memory_of(s.p.pid)
    late = memory_of(s.p.pid)
    print(f"# {early} kB after 20,000 requests, {late} kB after 100,000")
    return ok and late < early + 8_000 and s.end() == 0


def two_readings(assay, db):
    """What a proxy may read otherwise than we do is refused, and ends it."""
    body, evil = line(1).encode(), b"GET /metrics HTTP/1.1\r\nHost: a\r\n\r\n"
    length = b"Content-Length: %d\r\n" % len(body)
    chunks = b"%x\r\n%s\r\n0\r\n\r\n" % (len(body), body)
    chunked = b"Transfer-Encoding: chunked\r\n"
    # Headers, the body, the status; what comes after the body is not answered.
    told = [(length, body, 200), (chunked, chunks, 200),
            (length + chunked, b"0\r\n\r\n" + evil, 400),
            (chunked + length, chunks + evil, 400),
            (length + b"Content-Length: 5\r\n", body + evil, 400),
            (length + length, body + evil, 400),
            (chunked + chunked, chunks + evil, 400),
            (b"Transfer-Encoding: xchunked\r\n", chunks + evil, 400),
            (b"Transfer-Encoding: chunked, identity\r\n", chunks + evil, 400),
            (b"Transfer-Encoding: gzip, chunked\r\n", chunks + evil, 400),
            (b"Transfer-Encoding:\x0bchunked\r\n", chunks + evil, 400),
            (b"Transfer-Encoding : chunked\r\n" + length, body + evil, 400),
            (b"Authorization: Bearer a\r\nAuthorization: Bearer b\r\n" + length,
             body + evil, 400),
            (b"Content-Length: 9223372036854775808\r\n", body + evil, 413),
            (b"Content-Length: %d\r\n" % (2**64 + len(body)), body + evil, 413),
            (b"Content-Length: +5\r\n", body + evil, 400),
            (b"Content-Length: 5, 5\r\n", body + evil, 400),
            (b"Content-Length: 5, 6\r\n", body + evil, 400),
            (b"Content-Length: -1\r\n", body + evil, 400),
            (b"Content-Length: 0x5\r\n", body + evil, 400),
            (b"Content-Length: 5 6\r\n", body + evil, 400),
            (b"Authorization: Bearer a\0b\r\n" + length, body + evil, 400),
            (b"Authorization: Bearer a\0\r\n" + length, body + evil, 400),
            (length + b"Authorization: Bearer a\0b\r\n", body + evil, 400),
            (b"X: a\0\0\0b\r\n" + length, body + evil, 400),
            (b"X: a\0Content-Length: 1\r\n" + length, body + evil, 400),
            (chunked, chunks + evil, 400, b"1.0"),
            (length, body, 200, b"1.0")]
    s, ok = Server(assay, db), True
    for headers, sent, wanted, *version in told:
        version = version[0] if version else b"1.1"
        with socket.create_connection(("127.0.0.1", s.port), 60) as c:
            close = b"Connection: close\r\n" if wanted == 200 else b""
            c.sendall(b"POST /v1/score HTTP/" + version + b"\r\nHost: a\r\n"
                      + headers + close + b"\r\n" + sent)
            found = b""
            try:
                while got := c.recv(65536):
                    found += got
            except ConnectionResetError:
                pass
        good = (found[:8] in (b"HTTP/1.1", b"HTTP/1.0")
                and found[8:].startswith(b" %d " % wanted)
                and b"assay_uptime" not in found)
        if not good:
            print("#", headers, found[:200])
        ok &= good
    return ok and s.end() == 0


def judge_that_stands_still(assay, db):
    """It is told, and does not hold up the end."""
    s = Server(assay, db, timeout="60")
    child = int(pathlib.Path(
        f"/proc/{s.p.pid}/task/{s.p.pid}/children").read_text().split()[0])
    stuck = s.connect()
    stuck.request("POST", "/v1/score", line(1, HANG))
    ok = wait_until(lambda: s.figure("in_flight") == 1)
    os.kill(child, signal.SIGSTOP)
    time.sleep(10)
    ok &= s.ask("GET", "/healthz")[0] == 200
    time.sleep(25)
    ok &= s.ask("GET", "/healthz")[0] == 503
    began = time.monotonic()
    return ok and s.end() == 3 and time.monotonic() - began < 30


def slow_loris(assay, db):
    """Who sends a byte now and then loses his connection all the same."""
    s, held = Server(assay, db), []
    for begun in b"GET /healthz HTTP/1.1\r\nX: ", (
            b"POST /v1/score HTTP/1.1\r\nHost: a\r\nContent-Length: 9999\r\n\r\n"):
        for _ in range(256):
            c = socket.create_connection(("127.0.0.1", s.port), 60)
            c.sendall(begun)
            held.append(c)
    for _ in range(16):
        time.sleep(5)
        for c in held:
            try:
                c.sendall(b"y")
            except OSError:
                pass
    ok = s.ask("GET", "/healthz")[0] == 200
    for c in held:
        c.close()
    return ok and s.end() == 0


def full_house(assay, db):
    """Who holds all connections and asks nothing does not hold up who asks.

    Other clients keep theirs, also one that has sent only a part; of the same
    client, one that was answered before.
    """
    s, held = Server(assay, db), []
    waits = s.send_part(line(0).encode()[:5], len(line(0)))
    regular = s.connect(CROWD)
    regular.request("GET", "/healthz")
    ok = regular.getresponse().read() == b"ok\n"
    for i in range(1400):
        held.append(s.dial(b"GET /healthz HTTP/1.1\r\nX: " if i % 2 else b""))
    status, found = s.score([line(1), line(2, HANG)])
    ok &= status == 200 and len(found) == 2
    # Those that came last are still there: none had to be closed for its age.
    ok &= not readable(held[-400:])
    regular.request("GET", "/healthz")
    ok &= regular.getresponse().read() == b"ok\n"
    waits.send(line(0).encode()[5:])
    ok &= waits.getresponse().status == 200
    for c in [*held, waits]:
        c.close()
    return ok and s.score([line(3)])[0] == 200 and s.end() == 0


def crowd_of_calls(assay, db):
    """Who has all his calls wait is told so; a call of another has its place."""
    s = Server(assay, db, "--max-queue", "3000", timeout="600")
    held_lines = lambda: s.figure("in_flight") + s.figure("queue_length")
    body = line(1, HANG).encode()
    call = (b"POST /v1/score HTTP/1.1\r\nHost: a\r\nContent-Length: %d\r\n\r\n"
            % len(body) + body)
    held = [s.dial(call) for _ in range(800)]
    # 984 places for calls, half of them for one client.
    ok = wait_until(lambda: held_lines() == 492)
    refused = []
    ok &= wait_until(lambda: refused.extend(
        c.recv(65536) for c in readable(held))
        or len(refused) >= 800 - 492)
    ok &= all(x.startswith(b"HTTP/1.1 429 ") and b"\r\nRetry-After: 1\r\n" in x
              for x in refused)
    other = s.connect()
    other.request("POST", "/v1/score", line(2))
    ok &= wait_until(lambda: held_lines() == 493)
    for c in held:
        c.close()
    r = other.getresponse()
    return ok and r.status == 200 and s.end() == 0


ASK = """import socket, sys
c = socket.socket(socket.AF_UNIX)
c.connect(sys.argv[1])
c.sendall(b"POST /v1/score HTTP/1.1\\r\\nHost: a\\r\\nContent-Length: 2\\r\\n\\r\\n{}")
print(c.recv(65536).decode())
"""


def shares(assay, db):
    """Calls of one client fill half of the queue; another has room.

    By address at a port, by process at a socket.
    """
    ok = True
    for path in None, db + ".share":
        s = Server(assay, db, "--max-queue", "12", path=path, timeout="600")
        held = []
        for waiting in 2, 3, 4:
            c = s.connect(CROWD)
            c.request("POST", "/v1/score", "".join(line(i, HANG) for i in range(9)))
            held.append(c)
            ok &= wait_until(lambda: s.figure("queue_length") == waiting)
        ok &= s.figure("in_flight") == 4
        c = s.connect(CROWD)
        c.request("POST", "/v1/score", line(1))
        r = c.getresponse()
        ok &= r.status == 429 and r.headers["Retry-After"] == "1"
        if path:
            other = subprocess.Popen([sys.executable, "-c", ASK, path],
                                     stdout=subprocess.PIPE, text=True)
        else:
            other = s.connect()
            other.request("POST", "/v1/score", line(2))
        ok &= wait_until(lambda: s.figure("queue_length") == 5)
        for c in held:
            c.close()
        if path:
            ok &= other.communicate()[0].startswith("HTTP/1.1 400 ")
        else:
            ok &= other.getresponse().status == 200
        ok &= s.end() == 0
    return ok


def unfinished_lines(assay, db):
    """Lines without an end take 128 MB, of whom has most: not all there is."""
    s = Server(assay, db)
    text = line(1, "SELECT 200 --" + "x" * 7_000_000).encode()
    waits = s.send_part(text[:-9], len(text))
    head = b"POST /v1/score HTTP/1.1\r\nHost: a\r\nContent-Length: 9000000\r\n\r\n"
    held, n_closed = [], 0
    for _ in range(40):
        try:
            held.append(s.dial(head + b"x" * 7_900_000))
        except OSError:
            n_closed += 1
    n_open = 128 // 8
    ok = wait_until(lambda: n_closed + len(readable(held))
                    >= 40 - n_open)
    waits.send(text[-9:])
    r = waits.getresponse()
    ok &= r.status == 200 and json.loads(r.read())["id"] == 1
    peak = pathlib.Path(f"/proc/{s.p.pid}/status").read_text()
    is_sanitized = b"__asan_init" in pathlib.Path(assay).read_bytes()
    # A sanitizer keeps what was freed.
    ok &= (is_sanitized
           or int(re.search(r"VmHWM:\s+(\d+)", peak)[1]) < 400_000)
    for c in held:
        c.close()
    return ok and s.end() == 0


def bad_targets(assay, db):
    """A NUL in what is asked for, and two hosts, are refused with 400."""
    s = Server(assay, db)
    host = b"Host: a\r\n"
    ok = True
    for target, heads, wanted in (
            (b"/healthz", host, b"200"), (b"/healthz?a=b&c=%20", host, b"200"),
            (b"/health%7a", host, b"200"), (b"/healthz%00", host, b"400"),
            (b"/healthz%00/x", host, b"400"), (b"/healthz?a=%00", host, b"400"),
            (b"/healthz\0", host, b"400"), (b"/healthz\0/x", host, b"400"),
            (b"/healthz\0HTTP/1.1", host, b"400"),
            (b"/healthz?a=\0", host, b"400"), (b"/healthz\0 ", host, b"400"),
            (b"/healthz", host + host, b"400"),
            (b"/healthz", host + b"hOST: b\r\n", b"400")):
        with socket.create_connection(("127.0.0.1", s.port), 60) as c:
            c.sendall(b"GET " + target + b" HTTP/1.1\r\n" + heads
                      + b"Connection: close\r\n\r\n")
            got = c.recv(65536).split(b" ")
            ok &= len(got) > 1 and got[1] == wanted
            if len(got) < 2 or got[1] != wanted:
                print("#", target, heads, got[:3])
    return ok and s.end() == 0


def too_large(assay, db):
    """413, for a line and for a body, without reading more than there may be."""
    s = Server(assay, db)
    status, found = s.score([line(1), line(2, "x" * 8_000_000)])
    ok = status == 413 and "8 MB" in found[0]["error"]
    c = s.connect()
    c.putrequest("POST", "/v1/score")
    c.putheader("Content-Length", "64000001")
    c.endheaders()
    ok &= c.getresponse().status == 413
    c.close()
    status, found = s.score([line(3, "SELECT 200 --" + "x" * 7_000_000)])
    return ok and status == 200 and found[0]["id"] == 3 and s.end() == 0


def ends_well(assay, db):
    """SIGTERM and SIGINT: what was taken is answered; the socket goes.

    A client that stays and sends no more of its body is not waited for.
    """
    ok = True
    for number in signal.SIGTERM, signal.SIGINT:
        path = db + ".end"
        s = Server(assay, db, path=path, timeout="3")
        idle = s.connect()
        idle.request("GET", "/healthz")
        ok &= idle.getresponse().read() == b"ok\n"
        c, many = s.connect(), s.connect()
        c.request("POST", "/v1/score", line(1, HANG))
        many.request("POST", "/v1/score",
                     "".join(line(i) for i in range(100)) + line(100, HANG))
        ok &= wait_until(lambda: s.figure("lines_total") == 102)
        slow = s.send_part(b"{}\n", 1000)
        ok &= wait_until(lambda: s.figure("lines_total") == 103)
        s.p.send_signal(number)
        r = c.getresponse()
        ok &= r.status == 200 and json.loads(r.read())[
            "verdicts"]["exec"]["reason"] == "timeout"
        ok &= len(many.getresponse().read().splitlines()) == 101
        ok &= s.p.wait(30) == 0 and not os.path.exists(path)
        slow.close()
    s = Server(assay, db, timeout="60")
    c = s.connect()
    c.request("POST", "/v1/score", line(1, HANG))
    ok &= wait_until(lambda: s.figure("in_flight") == 1)
    s.p.send_signal(signal.SIGTERM)
    c2 = s.connect()
    # It does not listen any more: what it has goes on.
    def is_closed():
        try:
            c2.connect()
        except OSError:
            return True
        c2.close()
        return False
    ok &= wait_until(is_closed) and s.p.poll() is None
    return ok and s.end(signal.SIGINT) == 130


def ends_in_time(assay, db):
    """SIGTERM beside queries that hang, for minutes of them: 503, and the end."""
    s = Server(assay, db, "--jobs", "1", timeout="0.2")
    c = s.connect()
    c.request("POST", "/v1/score", "".join(line(i, HANG) for i in range(240)))
    ok = wait_until(lambda: s.figure("lines_total") >= 100)
    s.p.send_signal(signal.SIGTERM)
    begin = time.monotonic()
    ok &= s.p.wait(60) == 0 and time.monotonic() - begin < 40
    return ok and b"got 503" in s.p.stderr.read()


def killed(assay, db):
    """Workers are replaced; without those who judge there is no server."""
    s = Server(assay, db, timeout="5")
    judge, = children(s.p.pid)
    ok = s.score([line(0)])[0] == 200
    c = s.connect()
    c.request("POST", "/v1/score", "".join(line(i, f"SELECT {i}")
                                           for i in range(2000)))
    for pid in children(judge):
        os.kill(pid, signal.SIGKILL)
    found = c.getresponse().read().splitlines()
    ok &= len(found) == 2000 and all(b'"verdicts"' in x for x in found)
    c = s.connect()
    c.request("POST", "/v1/score", line(1, HANG))
    ok &= wait_until(lambda: s.figure("in_flight") == 1)
    os.kill(judge, signal.SIGKILL)
    ok &= c.getresponse().status == 503
    said = s.p.stderr.read()
    return ok and s.p.wait() == 3 and b"has ended" in said


def sockets(assay, db):
    """Its owner's alone; one that is left over is replaced, a live one not."""
    path = db + ".own"
    s = Server(assay, db, path=path)
    ok = os.stat(path).st_mode & 0o777 == 0o600
    p = subprocess.run([assay, "serve", "--db", db, "--listen", "unix:" + path],
                       capture_output=True)
    ok &= p.returncode == 3 and s.ask("GET", "/healthz")[0] == 200
    s.p.kill()
    s.p.wait()
    ok &= os.path.exists(path)
    s = Server(assay, db, path=path)
    ok &= s.ask("GET", "/healthz")[0] == 200 and s.end() == 0
    pathlib.Path(path).write_text("mine")
    p = subprocess.run([assay, "serve", "--db", db, "--listen", "unix:" + path],
                       capture_output=True)
    return ok and p.returncode == 3 and pathlib.Path(path).read_text() == "mine"


CASES = [described, pairs, same_as_worker, control_is_not_for_clients, one_object, hostile, nobody_waits,
         takes_turns, client_leaves, full_queue, full_of_bytes, token, wrong_use, broken_http,
         two_readings, full_house, crowd_of_calls, shares, unfinished_lines, bad_targets, too_large, ends_well, ends_in_time,
         killed, sockets,
         changed_http]
# 80 s and 15 s, when they are named or with --long.
LONG = [judge_that_stands_still, slow_loris, many_requests]


def main():
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(4096, most), most))
    assay = os.path.abspath(sys.argv[1])
    wanted = sys.argv[2:] or [case.__name__ for case in CASES]
    cases = [case for case in CASES + LONG if case.__name__ in wanted
             or "--long" in wanted]
    with tempfile.TemporaryDirectory(prefix="assay-serve-") as folder:
        db = os.path.join(folder, "t.sql")
        rows = ",".join(f"({i})" for i in range(200))
        pathlib.Path(db).write_text(
            f"CREATE TABLE t (a INT); INSERT INTO t VALUES {rows};")
        p = subprocess.run([assay, "serve", "--db", db, "--listen",
                            "unix:/nowhere/at/all"], capture_output=True)
        if b"without libmicrohttpd" in p.stderr or b"needs the library" in p.stderr:
            print("1..0 # SKIP built without libmicrohttpd, or it is not here")
            return 0
        print(f"1..{len(cases)}")
        failed = 0
        for number, case in enumerate(cases, 1):
            ok = case(assay, db)
            failed += not ok
            print("ok" if ok else "not ok", number, "-",
                  case.__doc__.split("\n")[0], flush=True)
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
