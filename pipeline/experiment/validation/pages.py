"""What the page of an experiment holds, and what it would load."""

from html.parser import HTMLParser

#: Attributes that make a browser ask for another file.
_LOADING = ("src", "href", "srcset", "poster", "data", "action", "formaction", "background")


class ExperimentPage(HTMLParser):
    """Collects what the page of an experiment holds.

    Attributes:
        study: the JSON that its scripts read.
        policy: its content security policy.
        loading: the elements that load another file; links are none.
    """

    def __init__(self) -> None:
        super().__init__(convert_charrefs=False)
        self.study, self.policy = "", ""
        self.loading: list[str] = []
        self._inside = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note what an element loads, and whether the study begins."""
        values = {name: value or "" for name, value in attrs}
        self._inside = values.get("id") == "study"
        if values.get("http-equiv") == "Content-Security-Policy":
            self.policy = values.get("content", "")
        self.loading += [
            f"<{tag} {name}={values[name][:60]}>"
            for name in _LOADING
            if name in values and not values[name].startswith("data:") and tag != "a"
        ]

    def handle_data(self, data: str) -> None:
        """Note the text of the study."""
        if self._inside:
            self.study += data

    def handle_endtag(self, tag: str) -> None:  # noqa: ARG002 - the parser calls it so
        """Note that an element ends."""
        self._inside = False


def read_page(text: str) -> ExperimentPage:
    """Return what a page holds."""
    page = ExperimentPage()
    page.feed(text)
    return page
