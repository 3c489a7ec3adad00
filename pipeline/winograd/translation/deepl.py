"""DeepL's interface, whose client tries again by itself, and a file that keeps each translation."""

import fcntl
import logging
import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass
from http import HTTPStatus
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, TypeVar

from ...core.convert import convert_fields
from ...core.errors import PipelineError, errors_at, plural, shown
from ...core.files import decode, half_character, parse_jsonl, read_bytes, to_json
from ...core.packages import require_packages
from ...core.servers import Secret, is_temporary
from .draft import SPLIT_SENTENCES, Glossary, Options, SourceText

if TYPE_CHECKING:
    from deepl import DeepLClient, GlossaryInfo

#: Name of the file that keeps the translations.
CACHE = "translations.jsonl"
#: Seconds without an answer after which a request has failed. It may have been paid for: better wait long.
_TIMEOUT = 120.0
#: DeepL's status for a used-up quota.
_QUOTA = 456
#: The target languages that DeepL wants with a country.
_WITHOUT_COUNTRY = {"EN": "EN-GB or EN-US", "PT": "PT-PT or PT-BR"}
_LANGUAGE = re.compile("[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*")
_T = TypeVar("_T")
_GO_ON = "what is translated so far is kept, the same command goes on"
_REFUSED: Mapping[int, str] = {
    HTTPStatus.BAD_REQUEST: "request refused; does DeepL know the language, the glossary, the formality for this language?",
    HTTPStatus.NOT_FOUND: "not there; is --server the address of DeepL's interface, does the glossary exist?",
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE: "request too large",
}


class Server:
    """DeepL's server. Its client tries again after a failure that may pass, several times.

    Every method raises `PipelineError` if the server refuses, its answer has another shape, or it fails too often. No message has
    words of the server, which may quote the key.
    """

    def __init__(self, client: "DeepLClient", key: Secret) -> None:
        self._client, self._key = client, key

    def characters_left(self) -> int | None:
        """Return how many characters the account may still translate; None if it has no limit."""
        count = self._ask(lambda client: client.get_usage()).character
        return max(0, count.limit - count.count) if count.limit is not None and count.count is not None else None

    def glossary_id(self, glossary: Glossary, options: Options) -> str | None:
        """Return DeepL's id of a glossary, which is made if the account does not have it; None without a glossary."""
        if not glossary.entries:
            return glossary.identity.removeprefix("id:") or None
        name = f"winoforge-{glossary.identity.removeprefix('sha256:')[:32]}"
        languages = [code.partition("-")[0] for code in (options.source_lang, options.target_lang)]
        for known in self._ask(lambda client: client.list_glossaries()):
            if known.name == name and [known.source_lang, known.target_lang] == languages:
                return known.glossary_id
        make: Callable[[DeepLClient], GlossaryInfo] = lambda client: client.create_glossary(  # noqa: E731 - has a type
            name, languages[0], languages[1], dict(glossary.entries)
        )
        return self._ask(make).glossary_id

    def translate(
        self, batch: Sequence[SourceText], options: Options, glossary_id: str | None
    ) -> list[tuple[str, int]]:
        """Return the translation of each text of a request, with the number of characters that DeepL counted."""

        def request(client: "DeepLClient") -> list[tuple[str, int]]:
            results = client.translate_text(
                [source.text for source in batch],
                source_lang=options.source_lang,
                target_lang=options.target_lang,
                context=batch[0].context or None,
                split_sentences=SPLIT_SENTENCES,
                formality=options.formality,
                glossary=glossary_id,
            )
            pairs = [(result.text, result.billed_characters) for result in results]  # type: ignore[union-attr]  # a list for a list
            texts = [text for text, _ in pairs]
            if len(texts) != len(batch) or not all(isinstance(text, str) and text.strip() for text in texts):
                raise ValueError("not a translation of each text")
            if any(map(half_character, texts)):
                raise ValueError("half a character")
            return pairs

        return self._ask(request)

    def _ask(self, request: Callable[["DeepLClient"], _T]) -> _T:
        from deepl import ConnectionException, DeepLException

        try:
            return request(self._client)
        except ConnectionException:
            raise PipelineError(None, None, f"[server] no answer from DeepL, or half of one; {_GO_ON}") from None
        except DeepLException as error:
            raise self._refusal(error.http_status_code) from None
        except (AttributeError, IndexError, KeyError, OverflowError, RecursionError, TypeError, ValueError) as error:
            reason = f"unexpected answer ({type(error).__name__}); is --server the address of DeepL's interface?"
            raise PipelineError(None, None, f"[server] {reason}") from None

    def _refusal(self, status: int | None) -> PipelineError:
        if status in (HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN):
            reason = (
                f"[{self._key.variable}] key refused; found HTTP status {status}, expected the key of a DeepL account"
            )
            return PipelineError(None, None, f"{reason} at this server (keys of free accounts end in :fx)")
        if status == _QUOTA:
            reason = f"[quota] the account has no characters left; found HTTP status {status}"
            return PipelineError(None, None, f"{reason}; {_GO_ON} in the next period")
        if status is not None and is_temporary(status):
            reason = f"[server] fails too often; found HTTP status {status} in each of several attempts"
            return PipelineError(None, None, f"{reason}; {_GO_ON}")
        meaning = _REFUSED.get(status or 0, "request refused")
        return PipelineError(None, None, f"[server] {meaning}; found HTTP status {status or 'none'}")


@contextmanager
def connected(key: Secret, address: str) -> Iterator[Server]:
    """Yield the server at an address; at an empty one, DeepL's own, which follows from the key.

    Raises:
        PipelineError: the package is not installed.
    """
    require_packages("translate", "deepl")
    from deepl import DeepLClient, http_client

    logger = logging.getLogger("deepl")
    before = http_client.min_connection_timeout
    http_client.min_connection_timeout = _TIMEOUT
    logger.addFilter(_silent)
    try:
        url = f"{address}/" if address else None
        with closing(DeepLClient(key.value, server_url=url, send_platform_info=False)) as client:
            yield Server(client, key)
    finally:
        logger.removeFilter(_silent)
        http_client.min_connection_timeout = before


def _silent(_: logging.LogRecord) -> bool:
    """Drop what the client logs: answers of a server, which may quote the key."""
    return False


@dataclass(frozen=True, slots=True)
class TranslationStore:
    """Translations by key, and the open file that keeps them; see `open_store`."""

    path: Path
    stream: BinaryIO
    translations: dict[str, str]

    def put(self, rows: Mapping[str, Mapping[str, Any]]) -> None:
        """Store rows by key, each with its ``translation``; they are on the disk when this returns."""
        try:
            for key, row in rows.items():
                self.stream.write(f"{to_json({'key': key, **row})}\n".encode())
            self.stream.flush()
            os.fsync(self.stream.fileno())
        except OSError as error:
            raise PipelineError(self.path, None, f"[cache] cannot be written; {error.strerror or error}") from error
        self.translations.update({key: row["translation"] for key, row in rows.items()})


@contextmanager
def open_store(folder: Path) -> Iterator[TranslationStore]:
    """Yield the translations in the file `CACHE` of a folder; each is on the disk before the next one is awaited.

    A line that a killed process left unfinished is cut off. One process at a time may write. The folder is created if it does not
    exist.

    Raises:
        PipelineError: another process writes there, the folder cannot be written, or a line of the file is malformed.
    """
    path = folder / CACHE
    try:
        folder.mkdir(parents=True, exist_ok=True)
        stream = path.open("ab")
    except OSError as error:
        raise PipelineError(folder, None, f"[cache] cannot be written; {error.strerror or error}") from error
    with stream:
        try:
            fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            reason = "[cache] another run writes translations there; wait for it, or give another folder"
            raise PipelineError(path, None, reason) from error
        data = read_bytes(path)
        stream.truncate(data.rfind(b"\n") + 1)
        yield TranslationStore(path, stream, _parse_translations(data, path))


def require_quota(characters: int, left: int | None) -> None:
    """Raise `PipelineError` if an account may translate fewer characters than are needed."""
    if left is not None and characters > left:
        reason = f"found {plural(characters, 'character')} to translate, expected at most the {left} that the account has left"
        raise PipelineError(None, None, f"[quota] too many characters; {reason} in this period; nothing was sent")


def translate(
    requests: Sequence[Sequence[SourceText]],
    options: Options,
    glossary: Glossary,
    server: Server,
    store: TranslationStore,
    show: Callable[[int, int], None],
) -> int:
    """Translate requests, and keep each answer before the next request is sent.

    `show` receives the number of requests done and in total. The characters that DeepL counted are returned.
    """
    billed = 0
    glossary_id = server.glossary_id(glossary, options) if requests else None
    for done, batch in enumerate(requests, 1):
        results = server.translate(batch, options, glossary_id)
        rows = {}
        for source, (text, count) in zip(batch, results, strict=True):
            row = {**asdict(options), **asdict(source), "translation": text, "billed_characters": count}
            rows[options.key(source)] = row
            billed += count
        store.put(rows)
        show(done, len(requests))
    return billed


@dataclass(frozen=True, slots=True)
class _StoredTranslation:
    key: str
    translation: str


def stored_translations(folder: Path) -> dict[str, str]:
    """Return the translations that a folder keeps, by key, without making or locking anything; none without the file.

    Raises:
        PipelineError: a line of the file is malformed.
    """
    path = folder / CACHE
    return _parse_translations(read_bytes(path), path) if path.exists() else {}


def _parse_translations(data: bytes, path: Path) -> dict[str, str]:
    """Return translations by key; an unfinished line at the end is left out."""
    translations = {}
    for line, row in parse_jsonl(decode(data[: data.rfind(b"\n") + 1], path), path):
        with errors_at(path, line):
            stored = convert_fields(row, _StoredTranslation)
        translations[stored.key] = stored.translation
    return translations


def source_language(lang: str) -> str:
    """Return DeepL's code of the language of a collection: in capitals, without a country or script.

    >>> source_language("en"), source_language("zh-Hant")
    ('EN', 'ZH')
    """
    return _code(lang, "lang").partition("-")[0]


def target_language(text: str) -> str:
    """Return DeepL's code of a language to translate into, in capitals.

    >>> target_language("de"), target_language("pt-br")
    ('DE', 'PT-BR')

    Raises:
        PipelineError: it is no code, or DeepL wants it with a country.
    """
    code = _code(text, "target-lang")
    if code in _WITHOUT_COUNTRY:
        reason = f"language without a country; found {shown(text)}, expected {_WITHOUT_COUNTRY[code]}"
        raise PipelineError(None, None, f"[target-lang] {reason}")
    return code


def _code(text: str, option: str) -> str:
    if not _LANGUAGE.fullmatch(text):
        reason = f"not the code of a language; found {shown(text)}, expected such as DE or PT-BR"
        raise PipelineError(None, None, f"[{option}] {reason}")
    return text.upper()
