"""The written rules as HTML: the subset of Markdown that they use, with an anchor for each section."""

import re
from collections.abc import Iterator, Set
from dataclasses import dataclass

from markupsafe import Markup, escape

HEADING = re.compile(r"(#{1,3}) (?:(?P<number>\d+(?:\.\d+)?)\.? )?(?P<title>.+)")
RULE = re.compile(r"\|[-:| ]+\|")
ITEM = "- "
QUOTE = ">"
FENCE = "```"
INLINE = re.compile(
    r"`(?P<code>[^`]+)`|\*\*(?P<strong>.+?)\*\*|\*(?P<em>[^*]+)\*|\[(?P<text>[^\]]+)\]\((?P<to>[^)]+)\)|(?P<number>\d+\.\d+)"
)


@dataclass(frozen=True, slots=True)
class Section:
    """A heading of the second level, for a table of contents. One without a number begins a part of the text."""

    anchor: str
    number: str | None
    title: str


@dataclass(frozen=True, slots=True)
class Document:
    """A text with its title."""

    title: str
    sections: tuple[Section, ...]
    html: Markup


def read_markdown(source: str) -> Document:
    """Convert a text whose first line is its title; numbers of sections in it become links."""
    first, _, rest = source.partition("\n")
    headings = [heading for line in rest.splitlines() if (heading := HEADING.fullmatch(line))]
    writer = _Writer({heading["number"] for heading in headings if heading["number"]})
    sections = tuple(
        Section(_anchor(heading), heading["number"], heading["title"]) for heading in headings if len(heading[1]) == 2
    )
    return Document(first.removeprefix("# "), sections, Markup("\n").join(writer.blocks(rest)))


def _anchor(heading: re.Match[str]) -> str:
    """The number of a section, or the title of a part in lower case with hyphens."""
    return heading["number"] or re.sub(r"\W+", "-", heading["title"].lower())


class _Writer:
    """Writes blocks and the text in them."""

    def __init__(self, sections: Set[str]) -> None:
        self._sections = sections

    def blocks(self, source: str) -> Iterator[Markup]:
        """Everything between empty lines, and fenced text whatever is in it."""
        for number, part in enumerate(re.split(rf"^{FENCE}\w*$\n?", source, flags=re.MULTILINE)):
            if number % 2:
                yield Markup('<pre tabindex="0"><code>{}</code></pre>').format(part.rstrip("\n"))
            else:
                yield from (self._block(block.split("\n")) for block in part.strip().split("\n\n") if block)

    def _block(self, lines: list[str]) -> Markup:
        if heading := HEADING.fullmatch(lines[0]):
            return self._heading(heading)
        if lines[0].startswith("|"):
            return self._table(lines)
        if lines[0].startswith(ITEM):
            return self._list(lines)
        if lines[0].startswith(QUOTE):
            quoted = "\n".join(line.removeprefix(QUOTE).removeprefix(" ") for line in lines)
            return Markup("<blockquote>{}</blockquote>").format(Markup("").join(self.blocks(quoted)))
        return Markup("<p>{}</p>").format(self._inline(" ".join(lines)))

    def _heading(self, heading: re.Match[str]) -> Markup:
        tag, number, title = f"h{len(heading[1])}", heading["number"], self._inline(heading["title"])
        if number is None:
            return Markup('<{0} id="{1}">{2}</{0}>').format(tag, _anchor(heading), title)
        return Markup('<{0} id="{1}"><a href="#{1}">{1}</a> {2}</{0}>').format(tag, number, title)

    def _list(self, lines: list[str]) -> Markup:
        starts = [at for at, line in enumerate(lines) if line.startswith(ITEM)]
        items = [
            " ".join(line.removeprefix(ITEM).strip() for line in lines[start:end])
            for start, end in zip(starts, [*starts[1:], len(lines)], strict=True)
        ]
        return Markup("<ul>{}</ul>").format(
            Markup("").join(Markup("<li>{}</li>").format(self._inline(item)) for item in items)
        )

    def _table(self, lines: list[str]) -> Markup:
        rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if not RULE.fullmatch(line)]
        head, body = self._row(rows[0], "th"), Markup("").join(self._row(row, "td") for row in rows[1:])
        # A wide table scrolls for itself, and by the keyboard too.
        return Markup(
            '<div class="scrolled" tabindex="0"><table><thead>{}</thead><tbody>{}</tbody></table></div>'
        ).format(head, body)

    def _row(self, cells: list[str], tag: str) -> Markup:
        # A corner with nothing in it heads nothing.
        tagged = [(tag if cell else "td", self._inline(cell)) for cell in cells]
        return Markup("<tr>{}</tr>").format(
            Markup("").join(Markup("<{0}>{1}</{0}>").format(each, cell) for each, cell in tagged)
        )

    def _inline(self, text: str) -> Markup:
        written, last = Markup(""), 0
        for span in INLINE.finditer(text):
            written += escape(text[last : span.start()]) + self._markup(span)
            last = span.end()
        return written + escape(text[last:])

    def _markup(self, span: re.Match[str]) -> Markup:
        match span.lastgroup:
            case "code":
                return Markup("<code>{}</code>").format(span["code"])
            case "to":
                return Markup('<a href="{}">{}</a>').format(span["to"], span["text"])
            case "number":
                return self._reference(span["number"])
        tag = str(span.lastgroup)
        return Markup("<{0}>{1}</{0}>").format(tag, self._inline(span[tag]))

    def _reference(self, number: str) -> Markup:
        if number not in self._sections:
            return escape(number)
        return Markup('<a href="#{0}">{0}</a>').format(number)
