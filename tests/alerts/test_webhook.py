"""A web address, for real: servers on this machine that answer, fail, hang, drip and redirect."""

from __future__ import annotations

import json
import socket
import threading
import time
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, ClassVar

import pytest

from ckpt_tui.alerts.message import json_body
from ckpt_tui.alerts.webhook import Webhook
from tests.alerts.events import EVENT, HOSTILE

if TYPE_CHECKING:
    from collections.abc import Iterator

BODY = json_body(EVENT, "/mnt/x")


class Handler(BaseHTTPRequestHandler):
    """Answers by the path that is asked for."""

    got: ClassVar[list[tuple[str, str, bytes]]] = []
    let_go = threading.Event()

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.got.append((self.path, self.headers["Content-Type"], body))
        if self.path == "/hang":
            self.let_go.wait(5)
            return
        if self.path == "/drip":
            for _ in range(100):
                self.wfile.write(b"H")
                if self.let_go.wait(0.05):
                    return
            return
        if self.path.startswith("/to-"):
            self.send_response(int(self.path[4:7]))
            self.send_header("Location", self.path[8:])
        else:
            self.send_response(int(self.path[1:4]))
        self.end_headers()

    def log_message(self, *_arguments: object) -> None:
        pass


@contextmanager
def serving() -> Iterator[str]:
    Handler.got.clear()
    Handler.let_go.clear()
    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        server.daemon_threads = True
        thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            Handler.let_go.set()
            server.shutdown()


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    for name in ("http_proxy", "https_proxy", "all_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)
    with serving() as address:
        yield address


def test_the_event_is_posted_as_json(server: str) -> None:
    for event in (EVENT, HOSTILE):
        assert Webhook(f"{server}/204", 5).post(json_body(event, "/mnt/x")) == ""
        path, kind, body = Handler.got[-1]
        assert (path, kind) == ("/204", "application/json")
        assert json.loads(body)["code"] == "nothing-to-resume"


@pytest.mark.parametrize("code", [301, 302, 303, 307, 308])
@pytest.mark.parametrize("target", ["/200", "file:///etc/passwd", "ftp://127.0.0.1/x", ""])
def test_no_redirect_is_followed(server: str, code: int, target: str) -> None:
    says = Webhook(f"{server}/to-{code}-{target}", 5).post(BODY)
    assert says == f"127.0.0.1 answers {code}: redirects are not followed"
    assert len(Handler.got) == 1


@pytest.mark.parametrize("code", [400, 404, 500, 503])
def test_an_error_is_told(server: str, code: int) -> None:
    assert Webhook(f"{server}/{code}/secret-token", 5).post(BODY) == f"127.0.0.1 answers {code}"


def own_threads() -> int:
    """Threads that post; the test's server has some of its own, which come when they like."""
    return sum(thread.name == "webhook" for thread in threading.enumerate())


@pytest.mark.parametrize("how", ["hang", "drip"])
def test_a_server_that_does_not_answer_costs_the_time_limit_and_one_thread(
    server: str, how: str
) -> None:
    webhook = Webhook(f"{server}/{how}", 0.4)
    began = time.monotonic()
    assert webhook.post(BODY) == "127.0.0.1 did not answer in 0.4 s"
    threads = own_threads()
    if how == "drip":
        for _ in range(5):
            assert webhook.post(BODY) == "127.0.0.1 still has not answered the last post"
    assert own_threads() <= threads <= 1
    assert time.monotonic() - began < 3


@pytest.mark.parametrize("how", ["hang", "drip"])
def test_who_notices_the_time_limit_first_makes_no_difference(
    server: str, how: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The thread's limit and the socket's are the same; here the socket's always comes first."""
    join = threading.Thread.join
    monkeypatch.setattr(
        threading.Thread, "join", lambda self, seconds=None: join(self, (seconds or 0) + 2.0)
    )
    assert Webhook(f"{server}/{how}", 0.2).post(BODY) == "127.0.0.1 did not answer in 0.2 s"


def test_nobody_there() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    says = Webhook(f"http://127.0.0.1:{port}/secret", 5).post(BODY)
    assert says == "127.0.0.1 cannot be reached: Connection refused"


@pytest.mark.parametrize("address", ["file:///etc/passwd", "ftp://127.0.0.1/x", "data:,x"])
def test_other_schemes_are_not_even_tried(address: str) -> None:
    assert "cannot be" in Webhook(address, 5).post(BODY)


def test_an_answer_that_is_no_http() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:

        def answer() -> None:
            connection, _ = server.accept()
            connection.recv(1000)
            connection.sendall(b"\x1b]0;pwned\x07\r\n\r\n")
            connection.close()

        thread = threading.Thread(target=answer, daemon=True)
        thread.start()
        says = Webhook(f"http://127.0.0.1:{server.getsockname()[1]}/", 5).post(BODY)
        thread.join(5)
    assert says.startswith("127.0.0.1 cannot be ")
    assert says.isprintable()
