"""The database of the server: which list a session gets, what is stored of it, and what is not."""

import sqlite3
import stat
from collections import Counter
from collections.abc import Mapping
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.core.errors import PipelineError
from pipeline.experiment.browser import store as module
from pipeline.experiment.browser.records import Experiment, session_record
from pipeline.experiment.browser.store import DATABASE, RUNNING, RefusedError, Store
from tests.support.experiments import session_name, session_records

NAMES = [session_name(number) for number in range(20)]


class Clock:
    """A clock that a test moves."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def store(tmp_path: Path, experiment: Experiment, clock: Clock) -> Store:
    return Store(tmp_path, experiment, clock)


def send(store: Store, experiment: Experiment, *values: Mapping[str, Any]) -> list[bool]:
    return [store.add(session_record(value, experiment)) for value in values]


def complete(store: Store, experiment: Experiment, session: str) -> None:
    number = store.list_of(session)
    assert number is not None
    send(store, experiment, *session_records(session, number, experiment))


def stored(folder: Path) -> list[tuple[Any, ...]]:
    with closing(sqlite3.connect(folder / DATABASE)) as database:
        return database.execute("SELECT session, sequence, record FROM records ORDER BY session, sequence").fetchall()


# --- lists ------------------------------------------------------------------------------------------------------------


def test_sessions_that_begin_together_get_different_lists(store: Store) -> None:
    assert [store.list_of(name) for name in NAMES[:7]] == [1, 2, 3, 1, 2, 3, 1]


def test_completed_sessions_count_before_running_ones(store: Store, experiment: Experiment) -> None:
    complete(store, experiment, NAMES[0])  # list 1
    complete(store, experiment, NAMES[1])  # list 2
    # List 3 has none completed: it gets all, however many run.
    assert [store.list_of(name) for name in NAMES[2:6]] == [3, 3, 3, 3]


def test_who_left_an_hour_ago_is_not_running(store: Store, clock: Clock) -> None:
    assert [store.list_of(name) for name in NAMES[:2]] == [1, 2]
    clock.now = RUNNING + 1
    assert store.list_of(NAMES[2]) == 1
    assert store.running() == {1: 1}


@settings(max_examples=15, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 11), st.sampled_from(["ask", "complete", "withdraw"])), max_size=60))
def test_the_counts_are_right_after_any_history(experiment: Experiment, events: list[tuple[int, str]]) -> None:
    with TemporaryDirectory() as name:
        store = Store(Path(name), experiment, Clock())
        lists: dict[int, int] = {}
        completed, withdrawn = set[int](), set[int]()
        for session, event in events:
            number = store.list_of(NAMES[session])
            assert (number is None) == (session in withdrawn)
            if number is None:
                continue
            assert lists.setdefault(session, number) == number
            if event == "complete":
                send(store, experiment, *session_records(NAMES[session], number, experiment))
                completed.add(session)
            elif event == "withdraw":
                send(
                    store,
                    experiment,
                    {**session_records(NAMES[session], number, experiment)[-1], "record": "withdrawn"},
                )
                withdrawn.add(session)
        counts = store.counts()
        store.close()
    assert counts.begun == len(lists)
    assert counts.withdrawn == len(withdrawn)
    expected = Counter(lists[session] for session in completed - withdrawn)
    assert counts.lists == {number: expected[number] for number in experiment.lists}
    assert counts.records == len(completed - withdrawn) * 9  # start, background, six trials, end


# --- records ----------------------------------------------------------------------------------------------------------


@settings(max_examples=15, deadline=None)
@given(st.data())
def test_nothing_of_a_withdrawn_session_is_stored_whatever_comes_late(
    experiment: Experiment, data: st.DataObject
) -> None:
    values = session_records(NAMES[1], 1, experiment)
    withdrawal = {**values[-1], "record": "withdrawn", "sequence": 50}
    shuffled = data.draw(st.permutations([*values, withdrawal, withdrawal]))
    with TemporaryDirectory() as name:
        store = Store(Path(name), experiment, Clock())
        send(store, experiment, *shuffled)
        counts = store.counts()
        store.close()
        assert stored(Path(name)) == []
        bytes_left = (Path(name) / DATABASE).read_bytes()
    assert (counts.begun, counts.withdrawn, counts.records, counts.completed) == (1, 1, 0, 0)
    assert NAMES[1].encode() not in bytes_left
    assert b"Hessen" not in bytes_left


def test_what_is_withdrawn_is_gone_from_the_disk_at_once(store: Store, experiment: Experiment, tmp_path: Path) -> None:
    complete(store, experiment, NAMES[0])
    assert any(b"Hessen" in path.read_bytes() for path in tmp_path.iterdir())
    send(store, experiment, {"session": NAMES[0], "list": 1, "record": "withdrawn", "sequence": 99, "data": {}})
    assert not any(b"Hessen" in path.read_bytes() for path in tmp_path.iterdir())


def test_the_order_of_keys_makes_no_other_record(store: Store, experiment: Experiment) -> None:
    value = session_records(NAMES[0], 1, experiment)[3]
    turned = {key: value[key] for key in reversed(value)} | {"data": dict(reversed(value["data"].items()))}
    assert send(store, experiment, value, turned) == [True, True]
    assert store.counts().records == 1


def test_another_record_of_the_same_number_is_refused(store: Store, experiment: Experiment) -> None:
    first, second = session_records(NAMES[0], 1, experiment)[2:4]
    send(store, experiment, first)
    with pytest.raises(RefusedError, match=r"^\[sequence\] found another record with the number 2"):
        send(store, experiment, second | {"sequence": 2})
    with pytest.raises(RefusedError, match=r"^\[list\] found 2, expected 1"):
        send(store, experiment, {**session_records(NAMES[0], 2, experiment)[4]})
    assert store.counts().records == 1


# --- limits and faults ------------------------------------------------------------------------------------------------


def test_limits_hold(store: Store, experiment: Experiment, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_SESSIONS", 2)
    monkeypatch.setattr(module, "MAX_RECORDS", 3)
    withdrawal = {"session": NAMES[0], "list": 1, "record": "withdrawn", "sequence": 99, "data": {}}
    values = session_records(NAMES[0], 1, experiment)
    assert send(store, experiment, *values[:3], values[0]) == [True] * 4
    with pytest.raises(RefusedError, match=r"^\[record\] too many"):
        send(store, experiment, values[3])
    store.list_of(NAMES[1])
    with pytest.raises(RefusedError, match=r"^\[session\] too many"):
        store.list_of(NAMES[2])
    with pytest.raises(RefusedError, match=r"^\[session\] too many"):
        send(store, experiment, withdrawal | {"session": NAMES[2]})
    assert store.list_of(NAMES[1]) == 2
    assert send(store, experiment, withdrawal) == [False]  # whoever takes part can always withdraw


def test_a_full_database_takes_nothing_and_loses_nothing(
    tmp_path: Path, experiment: Experiment, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MAX_SIZE", 20 * 4096)
    store = Store(tmp_path, experiment)
    acknowledged = 0
    with pytest.raises(RefusedError, match="full"):
        for name in map(session_name, range(1000)):
            number = store.list_of(name)
            assert number is not None
            for value in session_records(name, number, experiment):
                acknowledged += all(send(store, experiment, value))
    assert store.counts().records == acknowledged > 50
    store.close()
    assert (tmp_path / DATABASE).stat().st_size <= 20 * 4096


def test_only_the_owner_can_read_the_database(store: Store) -> None:
    assert stat.S_IMODE(store.path.stat().st_mode) == 0o600


def test_a_database_belongs_to_one_experiment(store: Store, tmp_path: Path, experiment: Experiment) -> None:
    store.close()
    with pytest.raises(PipelineError, match=r"\[data\] results of another experiment"):
        Store(tmp_path, replace(experiment, digest="other"))


@pytest.mark.parametrize("content", [b"not a database, but some text", b"SQLite format 3\0" + b"\xff" * 200, None])
def test_another_file_is_refused(tmp_path: Path, experiment: Experiment, content: bytes | None) -> None:
    if content is None:  # a database of another program
        with closing(sqlite3.connect(tmp_path / DATABASE)) as database:
            database.execute("CREATE TABLE a (b)")
        content = (tmp_path / DATABASE).read_bytes()
    (tmp_path / DATABASE).write_bytes(content)
    with pytest.raises(PipelineError, match=r"results.sqlite: \[data\] not a database of an experiment"):
        Store(tmp_path, experiment)
    assert (tmp_path / DATABASE).read_bytes() == content
