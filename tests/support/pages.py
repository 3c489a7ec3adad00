"""An HTML page as its reader has it."""

from html.parser import HTMLParser


class Page(HTMLParser):
    """The elements of a page with their attributes, its scripts, and its text with single blanks, without scripts and styles.

    `texts` has what stands in each element by tag; in a row, cells are words apart.
    """

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.scripts: list[str] = []
        self.texts: dict[str, list[str]] = {}
        self._words: list[str] = []
        self._open: list[str] = []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        self._open.append(tag)
        self.texts.setdefault(tag, []).append("")

    def handle_endtag(self, tag: str) -> None:
        assert tag in self._open, f"</{tag}> closes nothing"
        while self._open.pop() != tag:
            pass
        if tag in ("th", "td"):
            self.texts["tr"][-1] += " "

    def handle_data(self, data: str) -> None:
        for tag in set(self._open):
            self.texts[tag][-1] += data
        if "script" in self._open:
            self.scripts.append(data)
        elif "style" not in self._open:
            self._words.append(data)

    def values(self, attribute: str) -> list[str]:
        """Return the values of an attribute, those of all elements."""
        return [value for _, attributes in self.elements if (value := attributes.get(attribute)) is not None]

    def count(self, tag: str) -> int:
        return sum(name == tag for name, _ in self.elements)

    @property
    def text(self) -> str:
        return " ".join(" ".join(self._words).split())

    @property
    def links(self) -> set[str]:
        """What the page refers to, but for its empty icon and the link that skips to its content."""
        return {str(values["href"]) for _, values in self.elements if "href" in values} - {"data:,", "#main"}

    @property
    def policy(self) -> str:
        """Its content security policy."""
        policies = [
            values["content"] for _, values in self.elements if values.get("http-equiv") == "Content-Security-Policy"
        ]
        return str(policies[0])
