"""Run the commands of one make in one process: ``tools/winoforge WORDS…`` in its recipes does what ``winoforge WORDS…`` does.

Half of the time of most commands is the import of libraries and the reading of dictionaries and rules. The first command of a make
starts a process that runs this one and those that follow, one after another, and that ends when none has come for some seconds. With
``make --jobs 2`` a second process runs what comes while the first is busy. Uses the standard library only: this program is started for
each command, and waits.
"""

import contextlib
import errno
import fcntl
import itertools
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

#: Environment variables: the number of the make process, and a file that gets a line for each command: processor seconds, words.
MAKE_PROCESS, TIMES = "MAKE_PROCESS", "WINOFORGE_TIMES"
#: Seconds without a command after which the process ends, and seconds that it may take to start.
_IDLE, _START = 5.0, 30.0
#: Bytes of a command's words that come with its streams; the rest follows.
_FIRST_WORDS = 1 << 12
#: Exit status if the process is gone before the command has ended (EX_SOFTWARE).
_GONE = 70
#: Exit statuses from this one on tell of a signal.
_SIGNALS = 128
#: Signals that wait while a command is sent.
_PASSED_ON = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)


def folder() -> Path:
    """Return the folder for the sockets of this make, which nobody else may enter.

    Raises:
        KeyError: no make runs this program.
        PermissionError: it is another user's.
    """
    clone = Path().stat()  # containers may share the folder of temporary files, and the numbers of their processes
    names = ("winoforge", os.getuid(), os.environ[MAKE_PROCESS], f"{clone.st_dev:x}", f"{clone.st_ino:x}")
    path = Path(tempfile.gettempdir()) / "-".join(map(str, names))
    with contextlib.suppress(FileExistsError):
        path.mkdir(mode=0o700)
    if path.lstat().st_uid != os.getuid():
        raise PermissionError(errno.EPERM, "the folder is another user's", str(path))
    return path


def lock(path: Path) -> int | None:
    """Lock the lock file of a socket and return its descriptor; None if a command has it, or a process that ends deletes it."""
    file = path.with_suffix(".lock")
    descriptor = os.open(file, os.O_RDWR | os.O_CREAT, 0o600)
    with contextlib.suppress(BlockingIOError, FileNotFoundError):
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if file.stat().st_ino == os.fstat(descriptor).st_ino:
            return descriptor
    os.close(descriptor)
    return None


def free_socket(home: Path) -> Path:
    """Return the first socket that no other command uses, and lock it until this program ends."""
    return next(path for number in itertools.count() if lock(path := home / str(number)) is not None)


def connect(path: Path) -> socket.socket:
    """Connect to the process behind a socket; start it if there is none.

    Raises:
        OSError: it does not start.
    """
    connection = socket.socket(socket.AF_UNIX)
    if connection.connect_ex(str(path)):
        path.unlink(missing_ok=True)
        words = [sys.executable, __file__, "--serve", str(path)]
        nowhere = subprocess.DEVNULL
        process = subprocess.Popen(words, stdin=nowhere, stdout=nowhere, stderr=nowhere)
        end = time.monotonic() + _START
        while connection.connect_ex(str(path)):
            if process.poll() is not None or time.monotonic() > end:
                process.kill()  # it must not take the name of the socket later
                raise ChildProcessError(errno.ECHILD, "the process does not start", str(path))
            time.sleep(0.01)
    return connection


def send(connection: socket.socket, words: list[str]) -> int:
    """Send a command with the standard streams of this program, and return the number of the process that runs it.

    Raises:
        OSError: the process has ended before it read the command.
    """
    socket.send_fds(connection, [json.dumps(words).encode()], [0, 1, 2])
    connection.shutdown(socket.SHUT_WR)
    if not (number := connection.recv(4)):
        raise ChildProcessError(errno.ECHILD, "the process has ended")
    return int.from_bytes(number, "big")


def ask(words: list[str]) -> int:
    """Have a command run with the standard streams of this program, and return its exit status.

    Without a make, and where that process cannot be started or ends before it has the command, the command runs in this one. A terminal
    interrupts both; make ends its own processes only.
    """
    try:
        connection = connect(free_socket(folder()))
        signal.pthread_sigmask(signal.SIG_BLOCK, _PASSED_ON)  # until it is known to whom they go
        process = send(connection, words)
    except KeyboardInterrupt:
        return _SIGNALS + signal.SIGINT
    except (KeyError, OSError):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, _PASSED_ON)
        os.execv(sys.executable, [sys.executable, __file__, "--alone", *words])
    with connection:
        for ignored in (signal.SIGINT, signal.SIGHUP):
            signal.signal(ignored, signal.SIG_IGN)
        signal.signal(signal.SIGTERM, lambda number, _: os.kill(process, number))
        signal.pthread_sigmask(signal.SIG_UNBLOCK, _PASSED_ON)
        status = connection.recv(1)
    if not status:
        sys.stderr.write("[system] the process of the commands of this make has ended; run make again\n")
    return status[0] if status else _GONE


@contextlib.contextmanager
def streams(descriptors: list[int]) -> Iterator[None]:
    """Have other standard streams for a while, then none."""
    for place, descriptor in enumerate(descriptors):
        os.dup2(descriptor, place)
        os.close(descriptor)
    try:
        yield
    finally:
        for stream in (sys.stdout, sys.stderr):  # what a command that failed has left must not reach the next one
            with contextlib.suppress(OSError):
                stream.flush()
        nowhere = os.open(os.devnull, os.O_RDWR)
        for place in range(len(descriptors)):
            os.dup2(nowhere, place)
        os.close(nowhere)


def serve(path: Path) -> None:
    """Run commands for those who connect to a socket, until none has come for some seconds or a signal has ended one."""
    seconds, status = 0.0, 0
    for number in (signal.SIGTERM, signal.SIGHUP):  # so that no socket is left behind
        signal.signal(number, lambda number, _: sys.exit(_SIGNALS + number))
    with socket.socket(socket.AF_UNIX) as listener:
        try:
            # Before there is a socket: a command whose code cannot be imported runs alone, and says why.
            from pipeline.cli import main

            listener.bind(str(path))
            listener.listen()
            listener.settimeout(_IDLE)
            while status < _SIGNALS and (connection := accept(listener, path)):
                with connection:
                    status = run(connection, main)
                    seconds = note(seconds)
                    if status >= _SIGNALS:
                        path.unlink()  # before the next command comes
                    connection.sendall(bytes([status]))
        finally:
            for file in (path, path.with_suffix(".lock")):
                file.unlink(missing_ok=True)
            with contextlib.suppress(OSError):  # another process of this make is left
                path.parent.rmdir()


def accept(listener: socket.socket, path: Path) -> socket.socket | None:
    """Return the connection of the next command; None if there is none for some seconds and nobody is about to connect."""
    while True:
        try:
            return listener.accept()[0]
        except TimeoutError:
            if lock(path) is not None:
                return None


def run(connection: socket.socket, main: Callable[[], None]) -> int:
    """Run the command that a connection sends, with its standard streams, and return the exit status."""
    data, descriptors, *_ = socket.recv_fds(connection, _FIRST_WORDS, 3)
    with connection.makefile("rb") as rest:
        data += rest.read()
    connection.sendall(os.getpid().to_bytes(4, "big"))
    sys.argv = ["winoforge", *json.loads(data)]
    with streams(descriptors):
        try:
            main()
        except SystemExit as ended:
            return int(ended.code or 0)
    return 0


def note(before: float) -> float:
    """Append the seconds that the last command took to the file that `TIMES` names, if it is set; return those of the process."""
    seconds = sum(os.times()[:4])
    if file := os.environ.get(TIMES):
        with Path(file).open("a", encoding="utf-8") as lines:
            lines.write(f"{seconds - before:.2f}\t{' '.join(sys.argv[1:])}\n")
    return seconds


if __name__ == "__main__":
    sys.path[0] = str(Path(__file__).resolve().parents[1])  # the code beside this program, whatever is installed
    if sys.argv[1:2] == ["--serve"]:
        serve(Path(sys.argv[2]))
    elif sys.argv[1:2] == ["--alone"]:
        from pipeline.cli import main as run_alone

        sys.argv[:2] = ["winoforge"]
        run_alone()
    else:
        raise SystemExit(ask(sys.argv[1:]))
