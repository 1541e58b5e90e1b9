"""Posts an event to a web address: http or https only, no redirect, within a time limit."""

from __future__ import annotations

import http.client
import threading
import urllib.error
import urllib.parse
import urllib.request
from typing import TYPE_CHECKING

from ckpt_tui import __version__
from ckpt_tui.core.printable import printable

if TYPE_CHECKING:
    from typing import IO

_LONGEST_REASON = 200


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """A redirect would send the event to an address that nobody named, and drop its body."""

    def redirect_request(
        self,
        req: urllib.request.Request,
        fp: IO[bytes],
        code: int,
        msg: str,
        headers: http.client.HTTPMessage,
        newurl: str,
    ) -> None:
        """Follows none."""


class Webhook:
    """One address; at most one post is under way.

    Args:
        address: Begins with http:// or https://. It may hold a secret, so that no text has more of
            it than the host.
        timeout_seconds: For a whole post.
    """

    def __init__(self, address: str, timeout_seconds: float) -> None:
        self._address = address
        self._timeout = timeout_seconds
        self._host = printable(urllib.parse.urlsplit(address).hostname or "?")
        self._thread: threading.Thread | None = None
        self._opener = urllib.request.OpenerDirector()
        for handler in (
            urllib.request.ProxyHandler(),
            urllib.request.UnknownHandler(),
            urllib.request.HTTPHandler(),
            urllib.request.HTTPSHandler(),
            urllib.request.HTTPDefaultErrorHandler(),
            urllib.request.HTTPErrorProcessor(),
            _NoRedirect(),
        ):
            self._opener.add_handler(handler)

    def post(self, body: bytes) -> str:
        """Posts and waits for the answer; returns why that failed, or "".

        A server that sends its answer in drops, or a name that is never resolved, holds the thread
        of that post, and no other.
        """
        if self._thread is not None and self._thread.is_alive():
            return f"{self._host} still has not answered the last post"
        outcome: list[str] = []
        self._thread = threading.Thread(
            target=lambda: outcome.append(self._post(body)), name="webhook", daemon=True
        )
        self._thread.start()
        self._thread.join(self._timeout)
        return outcome[0] if outcome else self._late()

    def _late(self) -> str:
        return f"{self._host} did not answer in {self._timeout:g} s"

    def _post(self, body: bytes) -> str:
        try:
            request = urllib.request.Request(  # noqa: S310  # the opener knows http and https only
                self._address,
                data=body,
                headers={
                    "Content-Type": "application/json",
                    "User-Agent": f"ckpt-tui/{__version__}",
                },
                method="POST",
            )
            with self._opener.open(request, timeout=self._timeout):
                return ""
        except urllib.error.HTTPError as error:
            error.close()
            if 300 <= error.code < 400:
                return f"{self._host} answers {error.code}: redirects are not followed"
            return f"{self._host} answers {error.code}"
        except urllib.error.URLError as error:
            if isinstance(error.reason, TimeoutError):
                return self._late()
            return f"{self._host} cannot be reached: {_short(error.reason)}"
        except TimeoutError:  # the socket's limit may be noticed before the thread's
            return self._late()
        except (OSError, ValueError, http.client.HTTPException) as error:
            return f"{self._host} cannot be posted to: {_short(error)}"


def _short(reason: object) -> str:
    text = getattr(reason, "strerror", None) or str(reason) or type(reason).__name__
    return printable(text)[:_LONGEST_REASON]
