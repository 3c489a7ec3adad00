"""Defects of the tables that are imported from an experiment."""

from collections.abc import Callable

from .defect import Damage, Defect, Files

#: The first and the last response of the second participant, with their lines: each participant before has six.
FIRST, LAST = "p002/1 8", "p002/6 13"
#: The second participant, with the line; the line of both in the table as a whole, and that of its columns.
PERSON, TABLE, HEAD = "p002 3", "participants.tsv 3", "participants.tsv 1"


def table(name: str, change: Callable[[list[list[str]]], object]) -> Damage:
    """Return the damage that changes the cells of a table; row 0 is the header."""

    def damage(files: Files) -> Files:
        rows = [line.split("\t") for line in files[name].decode().splitlines()]
        change(rows)
        return files | {name: "".join("\t".join(row) + "\n" for row in rows).encode()}

    return damage


def cell(name: str, row: int, column: str, value: str) -> Damage:
    """Return the damage that sets a cell, which must have had another value."""

    def change(rows: list[list[str]]) -> None:
        place = rows[0].index(column)
        assert rows[row][place] != value
        rows[row][place] = value

    return table(name, change)


def response(column: str, value: str, row: int = 7) -> Damage:
    """Return the damage that sets a cell of a response: of the first one of the second participant, if no other is meant."""
    return cell("responses.tsv", row, column, value)


def person(column: str, value: str) -> Damage:
    """Return the damage that sets a cell of the second participant."""
    return cell("participants.tsv", 2, column, value)


def of_every_response(column: str, value: str) -> Damage:
    """Return the damage that sets a cell of all responses of the second participant."""

    def change(rows: list[list[str]]) -> None:
        for row in rows[7:13]:
            row[rows[0].index(column)] = value

    return table("responses.tsv", change)


def again(files: Files) -> Files:
    """Add the second participant once more under a pseudonym of its own, with all responses."""

    def with_copies(name: str) -> bytes:
        lines = files[name].splitlines(keepends=True)
        return b"".join([*lines, *(b"p006" + line[4:] for line in lines if line.startswith(b"p002"))])

    return files | {name: with_copies(name) for name in ("participants.tsv", "responses.tsv")}


def unknown_list(files: Files) -> Files:
    """Give the second participant, whose responses are taken out, a list that the experiment does not have."""
    left = person("list", "99")(files)
    kept = [line for line in left["responses.tsv"].splitlines(keepends=True) if not line.startswith(b"p002")]
    return left | {"responses.tsv": b"".join(kept)}


def exchanged(rows: list[list[str]]) -> None:
    """Exchange the second and the third response of the second participant."""
    rows[8], rows[9] = rows[9], rows[8]


def in_trial(old: bytes, new: bytes) -> Damage:
    """Return the damage that replaces the first occurrence of a text in the trials."""
    return lambda files: files | {"trials.jsonl": files["trials.jsonl"].replace(old, new, 1)}


def of(expectation: str, name: str, damage: Damage, reported_id: str) -> Defect:
    """Return a defect of the suite."""
    return Defect(name, "responses", expectation, damage, reported_id=reported_id)


RESPONSES = [
    of("contract", "confidence-beyond-the-scale", response("confidence", "6"), FIRST),
    of("contract", "confidence-missing", response("confidence", ""), FIRST),
    of("contract", "time-of-nothing", response("rt_answer_ms", "0"), FIRST),
    of("contract", "time-in-seconds", response("rt_confidence_ms", "0.64"), FIRST),
    of("contract", "time-before-the-text", response("rt_answer_ms", "-3"), FIRST),
    of("contract", "input-unknown", response("input", "voice"), FIRST),
    of("contract", "part-unknown", response("part", "test"), FIRST),
    of("contract", "name-in-place-of-a-code", person("region", "anna@example.org"), PERSON),
    of("contract", "code-that-the-form-does-not-offer", person("region", "mars"), PERSON),
    of("contract", "list-unknown-of-somebody-without-responses", unknown_list, PERSON),
    of("contract", "age-in-years", person("age", "31"), PERSON),
    of("contract", "linguistics-in-german", person("linguistics", "nein"), PERSON),
    of("tables", "responses-exchanged", table("responses.tsv", exchanged), "responses.tsv 9"),
    of("once", "participant-again-under-another-pseudonym", again, "p006 once 7"),
    of("contract", "completed-in-another-language", person("completed", "ja"), PERSON),
    of("contract", "reloads-below-zero", person("reloads", "-1"), PERSON),
    of("contract", "item-of-another-list", response("id", "de-009-2", row=8), "p002/2 9"),
    of("contract", "part-of-another-trial", response("part", "filler"), FIRST),
    of("contract", "list-unknown", response("list", "9"), FIRST),
    of("contract", "answer-that-was-not-offered", response("answer", "der"), FIRST),
    of("contract", "answer-with-a-capital", response("answer", "Sie"), FIRST),
    of("tables", "response-of-nobody", response("participant", "p009"), "responses.tsv 8"),
    of("tables", "response-of-another-list", response("list", "1"), "responses.tsv 8"),
    of("tables", "participants-numbered-with-a-gap", person("participant", "p007"), "responses.tsv 8"),
    of("contract", "attention-right-once-too-often", person("attention_right", "2"), PERSON),
    of("contract", "attention-not-counted", person("attention_asked", "0"), PERSON),
    of("tables", "attention-answered-wrong", of_every_response("answer", "es"), TABLE),
    of("all-answered", "response-lost", table("responses.tsv", lambda rows: rows.pop(9)), "p002 to the end 3"),
    of("tables", "column-unexplained", table("codebook.tsv", lambda rows: rows.pop(3)), "codebook.tsv 4"),
    of("tables", "column-explained-twice", table("codebook.tsv", lambda rows: rows.append(rows[3])), "codebook.tsv 23"),
    of("tables", "column-of-names", table("participants.tsv", lambda rows: [row.append("Anna") for row in rows]), HEAD),
    of(
        "tables",
        "columns-in-another-order",
        table("participants.tsv", lambda rows: [row.reverse() for row in rows]),
        HEAD,
    ),
    of(
        "known-files",
        "names-beside-pseudonyms",
        lambda files: files | {"names.tsv": b"p001\tAnna\n"},
        "names.tsv as a file",
    ),
    of("known-files", "trial-in-other-words", in_trial(b'"text": "', b'"text": "X'), "trials.jsonl"),
    of("known-files", "trial-with-other-options", in_trial(b'"sie", "es"]', b'"sie"]'), "trials.jsonl"),
    of("unique-id", "response-twice", table("responses.tsv", lambda rows: rows.insert(8, rows[7])), FIRST),
    of("unique-id", "participant-twice", table("participants.tsv", lambda rows: rows.append(rows[2])), PERSON),
]
