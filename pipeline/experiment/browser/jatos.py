"""The study archive (JZIP) with which JATOS imports an experiment."""

import io
import json
from uuid import NAMESPACE_OID, uuid5
from zipfile import ZIP_STORED, ZipFile, ZipInfo

#: Version of the format of the study properties.
_VERSION = "3"
#: Who may take part: the experimenter to try it out, and people with a link that works once, their own or everybody's.
_WORKERS = ("Jatos", "PersonalSingle", "GeneralSingle")
#: The earliest time that a zip archive can hold; the same for all entries, so that none has a time of its own.
_NO_TIME = (1980, 1, 1, 0, 0, 0)
_PAGE = "index.html"


def study_archive(title: str, page: bytes, digest: str) -> bytes:
    """Return a study with one component, the page, as JATOS imports it (jatos.org, "JATOS Study Archive (JZIP)").

    The page alone is in it: trials and key stay with the experimenter. The same arguments give the same bytes; nothing is compressed,
    for the bytes would depend on the version of zlib.

    Args:
        title: title of the study and of its component.
        page: the page of the experiment.
        digest: digest of its trials. JATOS knows a study by an id that is made from it: another experiment is another study.
    """
    folder = f"winoforge-{digest[:16]}"
    study = {
        "version": _VERSION,
        "data": {
            "uuid": _id(digest, "study"),
            "title": title,
            "description": "",
            "groupStudy": False,
            "linearStudy": False,
            "allowPreview": False,
            "dirName": folder,
            "comments": "",
            "jsonData": None,
            "endRedirectUrl": "",
            "studyEntryMsg": None,
            "componentList": [
                {
                    "uuid": _id(digest, "component"),
                    "title": title,
                    "htmlFilePath": _PAGE,
                    "reloadable": True,
                    "active": True,
                    "comments": "",
                    "jsonData": None,
                }
            ],
            "batchList": [
                {
                    "uuid": _id(digest, "batch"),
                    "title": "Default",
                    "active": True,
                    "maxActiveMembers": None,
                    "maxTotalMembers": None,
                    "maxTotalWorkers": None,
                    "allowedWorkerTypes": list(_WORKERS),
                    "comments": None,
                    "jsonData": None,
                }
            ],
        },
    }
    files = {f"{folder}/{_PAGE}": page, f"{folder}.jas": json.dumps(study, ensure_ascii=False, indent=1).encode()}
    sink = io.BytesIO()
    with ZipFile(sink, "w", ZIP_STORED) as archive:
        for name, data in files.items():
            archive.writestr(ZipInfo(name, _NO_TIME), data)
    return sink.getvalue()


def _id(digest: str, part: str) -> str:
    return str(uuid5(NAMESPACE_OID, f"winoforge {digest} {part}"))
