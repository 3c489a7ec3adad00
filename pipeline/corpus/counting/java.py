"""The Java that Spark would start: whether it can run Spark, before Spark answers with a stack of its own."""

import os
import re
import shutil
import subprocess

from ...core.errors import shown

#: The oldest version that the pinned Spark runs on.
OLDEST = 17
#: Modules without which Spark does not start or count; a runtime cut down with jlink may lack them.
MODULES = (
    "jdk.incubator.vector",
    "java.desktop",
    "java.management",
    "java.sql",
    "jdk.security.auth",
    "jdk.unsupported",
)
_INSTALL = f"install a runtime of version {OLDEST} or later (on Debian: default-jre-headless) or set JAVA_HOME to the folder of one"
#: Seconds to wait for its answer; it takes a tenth of one.
_PATIENCE = 30.0


def unusable() -> str:
    """Return why Spark cannot run on the Java of JAVA_HOME, else that of PATH, and what to install; empty if it can."""
    home = os.environ.get("JAVA_HOME")
    java = f"{home}/bin/java" if home else "java"  # as Spark's own scripts look for it
    if shutil.which(java) is None:
        return f"no Java; found no program {shown(java)}, {_INSTALL}"
    try:
        answer = subprocess.run(  # noqa: S603 - the program that Spark is about to start
            [java, "--list-modules"], capture_output=True, text=True, errors="replace", timeout=_PATIENCE, check=False
        )
    except OSError as error:
        return f"Java does not start; found {shown(error.strerror)} for {shown(java)}, {_INSTALL}"
    except subprocess.TimeoutExpired:
        return f"Java does not answer within {_PATIENCE:g} s; found {shown(java)}, {_INSTALL}"
    output = answer.stdout + answer.stderr
    if "Unrecognized option: --list-modules" in output:
        return f"Java too old; found a version before 9 at {shown(java)}, {_INSTALL}"
    modules = dict(re.findall(r"^([\w.]+)@(\d+)", answer.stdout, re.MULTILINE))
    if answer.returncode or "java.base" not in modules:
        first = next(iter(output.split("\n")), "")
        return f"Java does not work; found {shown(first)} from {shown(java)}, {_INSTALL}"
    if int(modules["java.base"]) < OLDEST:
        return f"Java too old; found version {modules['java.base']} at {shown(java)}, {_INSTALL}"
    if lacking := [module for module in MODULES if module not in modules]:
        return f"incomplete Java; found no module {', '.join(lacking)} at {shown(java)}, {_INSTALL}"
    return ""
