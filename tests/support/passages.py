"""Labelled sentences of five genres with translations, small and made up, as `raw/zp` has them."""

from pathlib import Path

from pipeline.core.files import write_text

GENRES = ("fiction", "news", "profiles", "questions", "subtitles")
SYSTEMS = ("careful", "literal", "mixed")
#: What each document is about, in Chinese and English: two for each genre.
THINGS = (
    ("雨伞", "umbrella"), ("风筝", "kite"), ("水壶", "kettle"), ("灯笼", "lantern"), ("竹篮", "basket"),
    ("小鼓", "drum"), ("木梯", "ladder"), ("铁锅", "pan"), ("毛毯", "blanket"), ("铜铃", "bell"),
)  # fmt: skip
#: A document: a sentence with its labels, the translation by people, and those by the systems.
SENTENCES = (
    ("阿菊把{zh}借给了邻居。", "Aju lent the {en} to a neighbour.", ("Aju lent a neighbour the {en}.",) * 3),
    (
        "第二天，<她>_S去要{zh}，<他>_S却说没见过<它>_O。",
        "The next day she asked for the {en}, but he said he had never seen it.",
        (
            "She asked for the {en} the next day; he said he had never seen it.",
            "The next day, go ask for the {en}, but say never seen.",
            "The next day they asked for the {en}, but she said she had never seen it.",
        ),
    ),
    (
        "<她>_S气得把<她的>_Pa帽子和{zh}套都扔了。",
        "She was so angry that she threw away her hat and the cover of the {en}.",
        (
            "In her anger she threw away her hat and the {en} cover.",
            "So angry that threw away hat and {en} cover.",
            "He was so angry that he threw away my hat and the {en} cover.",
        ),
    ),
)


def write_passages(folder: Path, genres: int = len(GENRES)) -> Path:
    """Write GENRE.zh, GENRE.en and systems/SYSTEM/GENRE.en of the first genres into a folder, and return it."""
    for number, genre in enumerate(GENRES[:genres]):
        files: dict[str, list[str]] = {}
        for zh, en in THINGS[2 * number : 2 * number + 2]:
            rows = [("[doc]",) * 5, *((source, target, *systems) for source, target, systems in SENTENCES)]
            names = (f"{genre}.zh", f"{genre}.en", *(f"systems/{system}/{genre}.en" for system in SYSTEMS))
            for row in rows:
                for name, text in zip(names, row, strict=True):
                    files.setdefault(name, []).append(text.format(zh=zh, en=en))
        for name, lines in files.items():
            write_text(folder / name, "".join(f"{line}\n" for line in lines))
    return folder
