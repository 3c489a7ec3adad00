"""Guidelines as the server shows them."""


def guideline_html(markdown: str) -> str:
    r"""Return the HTML of a guideline in CommonMark with tables; markup in it is shown as it is written.

    Annotators' pages load nothing from elsewhere, so what is written as a picture becomes a link.

    >>> guideline_html("**Ø** <script>")
    '<p><strong>Ø</strong> &lt;script&gt;</p>\n'
    """
    from markdown_it import MarkdownIt

    return str(MarkdownIt("commonmark", {"html": False}).enable("table").disable("image").render(markdown))
