"""An HTML page as its reader has it."""

from html.parser import HTMLParser


class Page(HTMLParser):
    """The elements of a page with their attributes, its scripts, and its text with single blanks, without scripts and styles."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.scripts: list[str] = []
        self._words: list[str] = []
        self._in = ""
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        self._in = tag

    def handle_endtag(self, tag: str) -> None:
        self._in = "" if tag == self._in else self._in

    def handle_data(self, data: str) -> None:
        if self._in == "script":
            self.scripts.append(data)
        elif self._in != "style":
            self._words.append(data)

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
