"""What is written, where, with which mode, and what is refused."""

import io
import os
import socket
import stat
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.core.errors import PipelineError
from pipeline.core.files import read_bytes, read_text, write_text
from pipeline.core.outputs import (
    is_stdout,
    remove,
    require_distinct,
    require_writable,
    write_bytes,
    written_together,
)
from tests.conftest import Refused

modes = st.integers(0, 0o777)


@contextmanager
def umask(mask: int) -> Iterator[None]:
    before = os.umask(mask)
    try:
        yield
    finally:
        os.umask(before)


def mode_of(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


# --- files ------------------------------------------------------------------------------------------------------------


def test_a_file_is_written_into_a_new_folder(tmp_path: Path) -> None:
    path = tmp_path / "new" / "folder" / ("名" * 85)  # the longest name that a file system takes
    write_text(path, "箱\r\n子\n")
    assert path.read_bytes() == "箱\r\n子\n".encode()
    assert list(path.parent.iterdir()) == [path]


@settings(max_examples=30)
@given(data=st.binary(), again=st.binary(), mode=modes, mask=modes)
def test_new_files_obey_the_umask_and_old_ones_keep_their_mode(
    tmp_path_factory: pytest.TempPathFactory, data: bytes, again: bytes, mode: int, mask: int
) -> None:
    path = tmp_path_factory.getbasetemp() / "any"
    path.unlink(missing_ok=True)
    with umask(mask):
        write_bytes(path, data)
        assert mode_of(path) == 0o666 & ~mask
        path.chmod(mode | 0o600)
        assert path.read_bytes() == data
        write_bytes(path, again)
        assert mode_of(path) == mode | 0o600
    assert read_bytes(path) == again


@pytest.mark.parametrize("mode", [0o400, 0o444, 0o555, 0o000])
def test_a_read_only_file_stays(refused: Refused, tmp_path: Path, mode: int) -> None:
    path = tmp_path / "f.txt"
    path.write_text("old")
    path.chmod(mode)
    message = refused(lambda: write_text(path, "new"), str(path), "file")
    assert f"read-only; found mode {mode:04o}, expected a file that may be changed (chmod u+w)" in message
    refused(lambda: require_writable(path), str(path), "file")
    path.chmod(0o600)
    assert path.read_text() == "old"


def test_the_temporary_file_of_a_private_file_is_private(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    path = tmp_path / "judgements.jsonl"
    path.touch(0o600)
    path.chmod(0o660)
    opened: list[int] = []
    make = os.open
    monkeypatch.setattr(os, "open", lambda file, flags, mode: opened.append(mode) or make(file, flags, mode))
    write_text(path, "new")
    assert opened == [0o600]
    assert mode_of(path) == 0o660


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may give files away")
def test_a_file_keeps_its_owner(tmp_path: Path) -> None:
    path = tmp_path / "f.txt"
    path.touch()
    os.chown(path, 12345, 54321)
    write_text(path, "new")
    assert (path.stat().st_uid, path.stat().st_gid) == (12345, 54321)


def test_a_hard_link_keeps_the_old_content(tmp_path: Path) -> None:
    (tmp_path / "f.txt").write_text("old")
    (tmp_path / "snapshot").hardlink_to(tmp_path / "f.txt")
    write_text(tmp_path / "f.txt", "new")
    assert (tmp_path / "snapshot").read_text() == "old"


def test_a_file_that_cannot_be_written_is_named(refused: Refused, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("old")
    (tmp_path / "folder").mkdir()
    for path in (tmp_path / "file" / "f.txt", tmp_path / "folder", tmp_path / ("n" * 300)):
        refused(lambda path=path: write_text(path, "new"), str(path), "file")
    for path in (tmp_path / "file" / "f.txt", tmp_path / "folder"):
        refused(lambda path=path: require_writable(path), str(path), "file")
    refused(lambda: remove(tmp_path / "folder"), str(tmp_path / "folder"), "file")
    remove(tmp_path / "none")
    require_writable(tmp_path / "new" / "folder" / "f.txt")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file", "folder"]


def test_a_folder_without_permission_is_named(
    refused: Refused, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(os, "access", lambda path, _: path != tmp_path)  # root may write everywhere
    message = refused(lambda: write_text(tmp_path / "f.txt", "new"), str(tmp_path / "f.txt"), "file")
    assert f"no permission to make a file in the folder {tmp_path}" in message
    monkeypatch.setattr(os, "access", lambda *_: False)
    (tmp_path / "f.txt").write_text("old")
    refused(lambda: write_text(tmp_path / "f.txt", "new"), str(tmp_path / "f.txt"), "file")
    assert (tmp_path / "f.txt").read_text() == "old"


@pytest.mark.parametrize("crash", [OSError("disk gone"), KeyboardInterrupt(), MemoryError()])
@pytest.mark.parametrize("step", ["write", "fsync", "rename"])
def test_a_crash_before_the_rename_leaves_the_old_file_alone(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, step: str, crash: BaseException
) -> None:
    path = tmp_path / "f.txt"
    write_text(path, "old")

    def fail(*_: object, **__: object) -> None:
        raise crash

    if step == "write":
        monkeypatch.setattr(os, "fdopen", fail)
    elif step == "fsync":
        monkeypatch.setattr(os, "fsync", fail)
    else:
        monkeypatch.setattr(Path, "replace", fail)
    with pytest.raises(PipelineError if isinstance(crash, OSError) else type(crash)):
        write_text(path, "new")
    monkeypatch.undo()
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("crash", [OSError("disk gone"), KeyboardInterrupt()])
@pytest.mark.parametrize("step", ["open", "fsync", "in the block"])
def test_files_are_written_together_or_not_at_all(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, step: str, crash: BaseException
) -> None:
    old, new = tmp_path / "f.txt", tmp_path / "new" / "folder" / "g.txt"
    old.write_bytes(b"old")

    def write(error: BaseException | None = None) -> None:
        with written_together([old, new]) as append:
            for path, data in ((old, b"1\n"), (new, b"a\n"), (old, b"2\n")):
                append(path, data)
            if error:
                raise error

    def fail(*_: object) -> None:
        raise crash

    if step != "in the block":
        monkeypatch.setattr(os, {"open": "fdopen"}.get(step, step), fail)
    with pytest.raises(PipelineError if isinstance(crash, OSError) else type(crash)):
        write(crash)
    monkeypatch.undo()
    assert [path.name for path in tmp_path.iterdir()] == ["f.txt"]
    assert old.read_bytes() == b"old"
    write()
    assert (old.read_bytes(), new.read_bytes()) == (b"1\n2\n", b"a\n")
    assert [*new.parent.iterdir()] == [new]


def test_a_full_disk_is_told_of_the_file_that_does_not_fit(
    refused: Refused, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("full").symlink_to("/dev/full")

    def write(size: int) -> None:
        with written_together([Path("full"), Path("other")]) as append:
            append(Path("full"), b"x" * size)

    for size in (1, 1 << 20):  # in the buffer until the end, and at once
        assert "No space left" in refused(lambda size=size: write(size), "full", "file")
        assert not Path("other").exists()


# --- links, pipes, devices, streams -----------------------------------------------------------------------------------


@pytest.mark.parametrize("present", [True, False])
def test_a_link_stays_and_its_target_is_written(tmp_path: Path, present: bool) -> None:
    target, link, chain = tmp_path / "there" / "f.txt", tmp_path / "link", tmp_path / "chain"
    target.parent.mkdir()
    if present:
        target.write_text("old")
    link.symlink_to(Path("there") / "f.txt")
    chain.symlink_to(link)
    write_text(chain, "new")
    assert (link.is_symlink(), chain.is_symlink(), target.is_symlink()) == (True, True, False)
    assert target.read_text() == "new"
    assert list(target.parent.iterdir()) == [target]


def test_a_loop_of_links_is_refused(refused: Refused, tmp_path: Path) -> None:
    (tmp_path / "a").symlink_to(tmp_path / "b")
    (tmp_path / "b").symlink_to(tmp_path / "a")
    refused(lambda: write_text(tmp_path / "a", "new"), str(tmp_path / "a"), "file")
    require_distinct({"--out": tmp_path / "a"}, {"FILE": tmp_path / "none"})


def test_a_pipe_is_written_into(tmp_path: Path) -> None:
    pipe, data = tmp_path / "pipe", b"a\xff\n" * 100_000
    os.mkfifo(pipe)
    received: list[bytes] = []
    reader = threading.Thread(target=lambda: received.append(pipe.read_bytes()), daemon=True)
    reader.start()
    write_bytes(pipe, data)
    reader.join(10)
    assert received == [data]
    assert pipe.is_fifo()


def test_devices_and_sockets_are_never_replaced(
    refused: Refused, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("null", "full"):
        Path(name).symlink_to(f"/dev/{name}")  # through a link: a failure must not replace the machine's own
    write_text(Path("null"), "new")
    assert "No space left" in refused(lambda: write_text(Path("full"), "new"), "full", "file")
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("socket")
        refused(lambda: write_text(Path("socket"), "new"), "socket", "file")
    main, terminal = os.openpty()
    Path("terminal").symlink_to(os.ttyname(terminal))
    write_text(Path("terminal"), "箱子")
    assert os.read(main, 100).decode() == "箱子"
    os.close(main)
    os.close(terminal)
    assert Path("null").is_char_device()
    assert Path("full").is_char_device()
    assert Path("socket").is_socket()
    assert len(list(Path().iterdir())) == 4


@pytest.mark.parametrize("name", ["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"])
def test_standard_output_is_written_as_it_is(
    capfdbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch, tmp_path: Path, name: str
) -> None:
    monkeypatch.chdir(tmp_path)
    assert is_stdout(Path(name))
    sys.stdout.write("before\n")
    write_bytes(Path(name), b"\xff\r\n\0")
    sys.stdout.write("after\n")
    sys.stdout.flush()
    assert capfdbinary.readouterr().out == b"before\n\xff\r\n\0after\n"
    assert list(tmp_path.iterdir()) == []


def test_other_streams_are_written(capsys: pytest.CaptureFixture[str]) -> None:
    write_text(Path("-"), "箱")
    write_text(Path("/dev/stderr"), "子")
    assert capsys.readouterr() == ("箱", "子")
    reader, writer = os.pipe()
    write_text(Path(f"/dev/fd/{writer}"), "箱子")
    os.close(writer)
    assert os.read(reader, 100).decode() == "箱子"
    os.close(reader)


def test_a_closed_standard_output_and_a_folder_on_it_are_refused(
    refused: Refused, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    assert "not a folder" in refused(lambda: write_text(Path("-") / "f.txt", "new"), "-/f.txt", "file")
    monkeypatch.setattr(sys, "stdout", None)
    refused(lambda: write_text(Path("-"), "new"), "-", "file")
    monkeypatch.setattr(sys, "stdin", None)
    refused(lambda: read_text(Path("-")), "-", "file")
    assert list(tmp_path.iterdir()) == []


def test_standard_input_is_read_as_often_as_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    for text in ("箱\n", "子\n"):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
        assert [read_text(Path(name)) for name in ("-", "/dev/stdin", "-")] == [text] * 3


def test_nobody_reads_standard_output(monkeypatch: pytest.MonkeyPatch) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    with os.fdopen(writer, "w") as closed:
        monkeypatch.setattr(sys, "stdout", closed)
        with pytest.raises(BrokenPipeError):  # the command line ends quietly
            write_text(Path("-"), "new")


# --- outputs that are inputs or other outputs -------------------------------------------------------------------------


def test_two_outputs_are_two_files(refused: Refused, tmp_path: Path) -> None:
    first, other = tmp_path / "one", tmp_path / "other"
    require_distinct({"--kept": first, "--rejected": other, "--decisions": None, "--skipped": None})
    again = tmp_path / "no-such-folder" / ".." / "one"
    message = refused(lambda: require_distinct({"--kept": first, "--rejected": other, "--decisions": again}), "", "out")
    assert message == (f"[out] same file given twice; found {again} for --kept and --decisions, expected two files")
    other.symlink_to(first)
    refused(lambda: require_distinct({"--kept": first, "--rejected": other}), "", "out")
    refused(lambda: require_distinct({"--out": [first, first]}), "", "out")


@pytest.mark.parametrize("spelling", ["s.yaml", "./s.yaml", "folder/../s.yaml", "link", "linked/s.yaml", "hard"])
def test_an_output_that_is_an_input_is_refused(
    refused: Refused, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, spelling: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("s.yaml").write_text("[]")
    Path("folder").mkdir()
    Path("link").symlink_to("s.yaml")
    Path("linked").symlink_to(".")
    Path("hard").hardlink_to("s.yaml")
    message = refused(
        lambda: require_distinct({"--skipped": None, "--out": Path(spelling)}, {"FILE": Path("s.yaml")}), "", "out"
    )
    assert message == "[out] output is an input; found s.yaml for FILE and --out, expected another file"
    refused(lambda: require_distinct({"--out": Path(spelling)}, {"FILES": [Path("x"), Path("s.yaml")]}), "", "out")


def test_streams_are_compared_and_devices_are_not(refused: Refused, tmp_path: Path) -> None:
    for other in ("-", "/dev/stdout", "/dev/fd/1"):
        refused(lambda other=other: require_distinct({"--out": Path("-"), "--skipped": Path(other)}), "", "out")
    null = Path("/dev/null")
    require_distinct({"--out": null, "--skipped": null, "--docs": tmp_path}, {"FILE": null, "FOLDER": tmp_path})
    require_distinct({"--out": Path("-")}, {"FILE": Path("-"), "--terms": Path("-")})  # standard input, read once
