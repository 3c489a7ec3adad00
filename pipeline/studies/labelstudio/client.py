"""Label Studio, asked through its SDK."""

import contextlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import urlsplit

from ...core.errors import PipelineError
from ...core.invisible import visible
from ...core.retry import Progress, Retries, TemporaryFailure, is_temporary, retry_after
from ...core.secrets import Secret
from .plan import OVERLAP
from .remote import Project, RemoteTask, annotation_from

if TYPE_CHECKING:
    from label_studio_sdk import LabelStudio


_QUOTED = 160


def answered(
    url: str, token: Secret, status: int | None, headers: Mapping[str, str], body: object
) -> TemporaryFailure | PipelineError:
    """Return what an answer that is no success means.

    Args:
        url: of the server.
        token: with which it was asked, to be left out.
        status: of the answer.
        headers: its headers.
        body: what it says, as the SDK tells it.
    """
    said = _said(body, token)
    if status is not None and is_temporary(status):
        return TemporaryFailure(f"{url}: status {status}{said}", retry_after(headers))
    if status in (HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN):
        reason = (
            f"[{token.variable}] refused by {url}; found status {status}{said}, expected a token that is valid there"
        )
        return PipelineError(None, None, reason)
    if status is not None and HTTPStatus.MULTIPLE_CHOICES <= status < HTTPStatus.BAD_REQUEST:
        reason = f"[url] {url} sends elsewhere; found status {status}, expected the address that answers by itself"
        return PipelineError(None, None, reason)
    return PipelineError(None, None, f"[server] {url} refuses; found status {status}{said}, expected success")


def lost(url: str, error: Exception) -> TemporaryFailure:
    """Return what a connection means that failed: whether the server got the request is not known."""
    return TemporaryFailure(f"{url}: {type(error).__name__}")


def strange(url: str, error: Exception) -> PipelineError:
    """Return what an answer means that the SDK, or we, cannot make anything of."""
    reason = f"[server] {url} answers like no Label Studio; found {type(error).__name__} in what it says"
    return PipelineError(None, None, reason)


def _said(body: object, token: Secret) -> str:
    """Return the server's own words in brackets, if it has any: one line, short, and never the token."""
    words = body.get("detail") if isinstance(body, Mapping) else None
    if isinstance(body, Mapping) and body.get("validation_errors"):
        words = body["validation_errors"]
    if not words:
        return ""
    line = visible(" ".join(str(words).replace(token.value, "…").split()))
    return f" ({line[:_QUOTED]}{'…' * (len(line) > _QUOTED)})"


_T = TypeVar("_T")
_LOOPBACK = ("127.0.0.1", "::1", "localhost")
_NO_ADDRESS = "[url] no address of a server; expected something like http://127.0.0.1:8080"
_INSTALL = "pip install --editable '.[annotate]'"
_PAGE = 200
_TIMEOUT = 60.0
_STRANGE = (AttributeError, KeyError, TypeError, ValueError)
_SETTINGS = (
    "title",
    "description",
    "label_config",
    "expert_instruction",
    "show_instruction",
    "sampling",
    "maximum_annotations",
    "show_skip_button",
    "enable_empty_annotation",
    "show_collab_predictions",
)


def server_url(url: str) -> str:
    """Return the address of a server with a slash at its end, which the SDK needs where it has a path.

    Raises:
        PipelineError: it is none.
    """
    try:
        parts = urlsplit(url)
        fine = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        fine = False
    if not fine or "@" in parts.netloc or parts.query or parts.fragment or not url.isprintable() or " " in url:
        raise PipelineError(None, None, _NO_ADDRESS)
    return url.rstrip("/") + "/"


@contextlib.contextmanager
def connected(url: str, token: Secret, watch: Progress) -> Iterator["Client"]:
    """Yield a client of the server at `url`, whose connections end with the block.

    Raises:
        PipelineError: `url` is no address, the token has expired, or the SDK is not installed.
    """
    base = server_url(url)
    try:
        import httpx
        from label_studio_sdk import LabelStudio
    except ImportError as error:
        raise PipelineError(None, None, f"[annotate] {error.name} is not installed; run {_INSTALL}") from error
    try:
        httpx.URL(base)
        (urlsplit(base).hostname or "").encode("idna")
    except (httpx.InvalidURL, UnicodeError):
        raise PipelineError(None, None, _NO_ADDRESS) from None
    # A redirect could carry a token to another host. Proxies of the environment have no say about loopback.
    with httpx.Client(
        trust_env=urlsplit(base).hostname not in _LOOPBACK,
        timeout=httpx.Timeout(_TIMEOUT, connect=10.0),
        follow_redirects=False,
    ) as connection:
        with _told(url, token):
            # The SDK would repeat what it sends, and send tasks twice.
            sdk: LabelStudio = LabelStudio(  # type: ignore[no-untyped-call]
                base_url=base, api_key=token.value, httpx_client=connection, max_retries=0
            )
        yield Client(sdk, url, token, watch)


@contextlib.contextmanager
def _told(url: str, token: Secret) -> Iterator[None]:
    """Turn what goes wrong in a call into `TemporaryFailure` or a `PipelineError`, neither of which tells the token."""
    import httpx
    from label_studio_sdk.core.api_error import ApiError

    try:
        yield
    except ApiError as error:
        raise answered(url, token, error.status_code, error.headers or {}, error.body) from None
    except httpx.TransportError as error:
        raise lost(url, error) from None
    except httpx.HTTPError as error:
        raise PipelineError(
            None, None, f"[server] {url} does not answer as it should; found {type(error).__name__}"
        ) from None
    except json.JSONDecodeError:
        raise TemporaryFailure(f"{url}: the answer is no JSON") from None
    except _STRANGE as error:  # the SDK builds its values of whatever came
        raise strange(url, error) from None


class Client:
    """What push and pull ask of a server. Reading is repeated until it works; writing is tried once."""

    def __init__(self, sdk: "LabelStudio", url: str, token: Secret, watch: Progress) -> None:
        self._sdk = sdk
        self._url = url
        self._token = token
        self.watch = watch

    def _once(self, ask: Callable[["LabelStudio"], _T]) -> _T:
        with _told(self._url, self._token):
            return ask(self._sdk)

    def _read(self, ask: Callable[["LabelStudio"], _T]) -> _T:
        patience = Retries(self.watch)
        while True:
            try:
                return self._once(ask)
            except TemporaryFailure as error:
                patience.wait(error)

    def _all(self, ask: Callable[["LabelStudio", int], Any], count: str) -> list[Any]:
        """Return what all pages have, in order of number.

        The SDK would ask for one page more, and take its 404, whatever it was, for the end.
        """
        rows: dict[int, Any] = {}
        page = 1
        while True:
            pager = self._read(lambda sdk: ask(sdk, page))  # noqa: B023 - called at once
            with _told(self._url, self._token):
                rows |= {int(row.id): row for row in pager.items}
                if len(rows) >= getattr(pager.response, count):
                    return [rows[number] for number in sorted(rows)]
                if not pager.items:
                    raise PipelineError(None, None, f"[server] {self._url} has changed while it was read, run again")
            page += 1

    def projects(self) -> list[Project]:
        """Return all projects, by number."""
        # Without `include` the server counts the tasks of every project, which takes it long.
        include = ",".join(("id", *_SETTINGS))
        rows = self._all(lambda sdk, page: sdk.projects.list(include=include, page=page, page_size=_PAGE), "count")
        with _told(self._url, self._token):
            return [Project(int(row.id), {key: getattr(row, key) for key in _SETTINGS}) for row in rows]

    def posted(self, project: int) -> list[RemoteTask]:
        """Return all tasks of a project, by number."""
        rows = self._all(
            lambda sdk, page: sdk.tasks.list(project=project, page=page, page_size=_PAGE, resolve_uri=False), "total"
        )
        with _told(self._url, self._token):
            return [
                RemoteTask(
                    int(row.id),
                    dict(row.data),
                    int(row.overlap),
                    bool(row.draft_exists),
                    tuple(sorted(map(annotation_from, row.annotations), key=lambda one: one.id)),
                )
                for row in rows
            ]

    def accounts(self) -> dict[int, str]:
        """Return the address of each account by its number."""
        rows = self._read(lambda sdk: sdk.users.list())
        with _told(self._url, self._token):
            return {int(row.id): str(row.email) for row in rows if row.email and row.id is not None}

    def create(self, settings: Mapping[str, Any]) -> None:
        """Make a project."""
        self._once(lambda sdk: sdk.projects.create(**settings))

    def configure(self, project: int, settings: Mapping[str, Any]) -> None:
        """Change settings of a project."""
        self._once(lambda sdk: sdk.projects.update(project, **settings))

    def send(self, project: int, tasks: Sequence[Mapping[str, Any]]) -> None:
        """Add tasks to a project: all of them or, where it fails, none."""
        request: list[Any] = [{"data": dict(data)} for data in tasks]
        self._once(lambda sdk: sdk.projects.import_tasks(project, request=request))

    def replace(self, task: int, data: Mapping[str, Any]) -> None:
        """Replace the data of a task."""
        self._once(lambda sdk: sdk.tasks.update(str(task), data=dict(data)))

    def open(self, task: int) -> None:
        """Keep a task in the queue of everybody who has not had it."""
        self._once(lambda sdk: sdk.tasks.update(str(task), overlap=OVERLAP, is_labeled=False))

    def remove(self, task: int) -> None:
        """Delete a task."""
        self._once(lambda sdk: sdk.tasks.delete(str(task)))
