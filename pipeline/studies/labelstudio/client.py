"""Access to a Label Studio server through its SDK."""

import contextlib
import json
from collections.abc import Callable, Iterator, Mapping
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import urlsplit

from ...core.errors import PipelineError
from ...core.invisible import visible
from ...core.packages import require_packages
from ...core.servers import Progress, Retries, Secret, TemporaryFailure, is_temporary, retry_after, server_address
from .remote import OVERLAP, RemoteProject, RemoteTask, annotation_from

if TYPE_CHECKING:
    from label_studio_sdk import LabelStudio

_T = TypeVar("_T")
_LOOPBACK = ("127.0.0.1", "::1", "localhost")
#: Number of rows to request per page of a list.
_PAGE_SIZE = 200
#: Seconds without a byte after which a request has failed.
_TIMEOUT = 60.0
#: Maximum number of characters quoted from a server's message.
_QUOTE_LENGTH = 160
#: What the SDK and this module raise for a response of another shape.
_UNEXPECTED = (AttributeError, KeyError, TypeError, ValueError)
#: The settings of a project that `push` manages.
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


class Client:
    """The requests of push and pull. Reads are repeated until they work; writes are tried once.

    Every method raises `PipelineError` where the server refuses or its response has another shape. A write raises
    `TemporaryFailure` where the server may or may not have done it.
    """

    def __init__(self, sdk: "LabelStudio", url: str, token: Secret, progress: Progress) -> None:
        self._sdk = sdk
        self._url = url
        self._token = token
        self.progress = progress

    def projects(self) -> list[RemoteProject]:
        """Return all projects, by number."""
        # Without `include` the server counts the tasks of every project, which is slow.
        include = ",".join(("id", *_SETTINGS))
        rows = self._read_all(
            lambda sdk, page: sdk.projects.list(include=include, page=page, page_size=_PAGE_SIZE), "count"
        )
        with _translated(self._url, self._token):
            return [RemoteProject(int(row.id), {key: getattr(row, key) for key in _SETTINGS}) for row in rows]

    def tasks(self, project: int) -> list[RemoteTask]:
        """Return all tasks of a project, by number."""
        rows = self._read_all(
            lambda sdk, page: sdk.tasks.list(project=project, page=page, page_size=_PAGE_SIZE, resolve_uri=False),
            "total",
        )
        with _translated(self._url, self._token):
            return [
                RemoteTask(
                    int(row.id),
                    dict(row.data),
                    int(row.overlap),
                    bool(row.draft_exists),
                    tuple(sorted(map(annotation_from, row.annotations), key=lambda annotation: annotation.id)),
                )
                for row in rows
            ]

    def accounts(self) -> dict[int, str]:
        """Return the e-mail address of each account by its number."""
        rows = self._read(lambda sdk: sdk.users.list())
        with _translated(self._url, self._token):
            return {int(row.id): str(row.email) for row in rows if row.email and row.id is not None}

    def create_project(self, settings: Mapping[str, Any]) -> None:
        """Create a project."""
        self._write(lambda sdk: sdk.projects.create(**settings))

    def update_project(self, project: int, settings: Mapping[str, Any]) -> None:
        """Change settings of a project."""
        self._write(lambda sdk: sdk.projects.update(project, **settings))

    def add_task(self, project: int, data: Mapping[str, Any]) -> None:
        """Add a task, in the queue of every rater who has not done it, to the end of a project."""
        # An import takes many tasks at once, but leaves them to be opened one by one, with requests that take three times as long.
        self._write(lambda sdk: sdk.tasks.create(project=project, data=dict(data), overlap=OVERLAP))

    def replace_data(self, task: int, data: Mapping[str, Any]) -> None:
        """Replace the data of a task."""
        self._write(lambda sdk: sdk.tasks.update(str(task), data=dict(data)))

    def open_task(self, task: int) -> None:
        """Keep a task in the queue of every rater who has not done it."""
        self._write(lambda sdk: sdk.tasks.update(str(task), overlap=OVERLAP, is_labeled=False))

    def delete_task(self, task: int) -> None:
        """Delete a task."""
        self._write(lambda sdk: sdk.tasks.delete(str(task)))

    def _write(self, request: Callable[["LabelStudio"], _T]) -> _T:
        with _translated(self._url, self._token):
            return request(self._sdk)

    def _read(self, request: Callable[["LabelStudio"], _T]) -> _T:
        retries = Retries(self.progress)
        while True:
            try:
                return self._write(request)
            except TemporaryFailure as error:
                retries.wait(error)

    def _read_all(self, request: Callable[["LabelStudio", int], Any], total: str) -> list[Any]:
        """Return the rows of all pages, by number.

        The SDK's own pager requests one page too many and takes any 404 for the end.
        """
        rows: dict[int, Any] = {}
        page = 1
        while True:
            pager = self._read(lambda sdk: request(sdk, page))  # noqa: B023 - called at once
            with _translated(self._url, self._token):
                rows |= {int(row.id): row for row in pager.items}
                if len(rows) >= getattr(pager.response, total):
                    return [rows[number] for number in sorted(rows)]
                if not pager.items:
                    raise PipelineError(None, None, f"[server] {self._url} changed while it was read; run again")
            page += 1


@contextlib.contextmanager
def connected(url: str, token: Secret, progress: Progress) -> Iterator[Client]:
    """Yield a client of the server at `url`; its connections are closed when the block ends.

    Tells the user if the token goes to another machine without encryption.

    Raises:
        PipelineError: `url` is not an address, the token has expired, or the SDK is not installed.
    """
    base = server_address(url, "url") + "/"  # which the SDK needs if the address has a path
    parts = urlsplit(base)
    is_local = parts.hostname in _LOOPBACK
    require_packages("annotate", "httpx", "label_studio_sdk")
    import httpx
    from label_studio_sdk import LabelStudio

    if parts.scheme == "http" and not is_local:
        progress.tell(f"{url}: the API token is sent without encryption; use https if the server has it")
    # A redirect could send the token to another host. A proxy of the environment must not see loopback traffic.
    # Label Studio's own server sends head and body of a response apart. The second part waits until the first is acknowledged, which takes
    # the system 40 ms on a connection that is kept; on loopback a new connection for each request takes less than one.
    limits = httpx.Limits(max_connections=100, max_keepalive_connections=0 if is_local else 20)
    with httpx.Client(
        trust_env=not is_local,
        timeout=httpx.Timeout(_TIMEOUT, connect=10.0),
        limits=limits,
        follow_redirects=False,
    ) as connection:
        with _translated(url, token):
            # With retries the SDK would repeat writes and so send tasks twice.
            sdk: LabelStudio = LabelStudio(  # type: ignore[no-untyped-call]
                base_url=base, api_key=token.value, httpx_client=connection, max_retries=0
            )
        yield Client(sdk, url, token, progress)


@contextlib.contextmanager
def _translated(url: str, token: Secret) -> Iterator[None]:
    """Turn any failure of a request into `TemporaryFailure` or `PipelineError`. Neither contains the token."""
    import httpx
    from label_studio_sdk.core.api_error import ApiError

    try:
        yield
    except ApiError as error:
        raise response_error(url, token, error.status_code, error.headers or {}, error.body) from None
    except httpx.TransportError as error:  # the server may or may not have the request
        raise TemporaryFailure(f"{url}: {type(error).__name__}") from None
    except json.JSONDecodeError:
        raise TemporaryFailure(f"{url}: the response is not JSON") from None
    except (httpx.HTTPError, httpx.InvalidURL, *_UNEXPECTED) as error:
        reason = f"[server] {url}: unexpected response ({type(error).__name__}); is this a Label Studio server?"
        raise PipelineError(None, None, reason) from None


def response_error(
    url: str, token: Secret, status: int | None, headers: Mapping[str, str], body: object
) -> TemporaryFailure | PipelineError:
    """Return the error for a response without success; its message has the server's own, but never the token of the request."""
    quote = _quote(body, token)
    if status is not None and is_temporary(status):
        return TemporaryFailure(f"{url}: status {status}{quote}", retry_after(headers))
    if status in (HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN):
        reason = f"[{token.variable}] refused by {url}; found status {status}{quote}, expected a token valid there"
    elif status is not None and HTTPStatus.MULTIPLE_CHOICES <= status < HTTPStatus.BAD_REQUEST:
        reason = f"[url] {url} redirects; found status {status}, expected the final address"
    else:
        expected = (
            "success" if isinstance(body, Mapping) else "an answer of Label Studio: is this the address of its server?"
        )
        reason = f"[server] request refused by {url}; found status {status}{quote}, expected {expected}"
    return PipelineError(None, None, reason)


def _quote(body: object, token: Secret) -> str:
    """Return the server's own message in brackets, if there is one: one short line without the token."""
    if not isinstance(body, Mapping):
        return ""
    message = body.get("validation_errors") or body.get("detail")
    if not message:
        return ""
    line = visible(" ".join(str(message).replace(token.value, "…").split()))
    return f" ({line[:_QUOTE_LENGTH]}{'…' * (len(line) > _QUOTE_LENGTH)})"
