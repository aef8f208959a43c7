"""Turn the code layouts of highlighters and web editors into `pre`, without line numbers and the tables that contain them."""

from __future__ import annotations

import re
from itertools import islice
from typing import Final

from lxml import etree
from lxml.html import HtmlElement

from app.extract.characters import collapse, word_set
from app.extract.tree import elements
from app.text.wordings import wording

_EDITORS: Final = word_set(
    "CodeMirror-code cm-content view-lines ace_text-layer react-code-lines linenums dp-c dp-j dp-py dp-sql dp-xml"
)  # elements with a child for each line of the code
_LEFT_OUT: Final = word_set("CodeMirror-measure CodeMirror-cursors")
_GESHI_ITEMS: Final = frozenset({"li1", "L0"})
_CODE_CELL: Final = re.compile(r"(?:^|[\s-])(?:code|src)(?=\s|$)")
_NUMBERS_IN_CODE: Final = word_set("m mi mf mh il number hljs-number token")  # Numbers that are a part of the code.
_NUMBERS_NAME: Final = wording("pages.toml", "code", "numbers_name")
_LINE_NAME: Final = re.compile(r"(?:^|\s)(?:[a-z]+-)?line(?=\s|$)")
_OF_CODE: Final = wording("pages.toml", "code", "of_code")
_NUMBERS: Final = re.compile(r"[\s\d]*+[.:|]?\s*+")
_MARKED: Final = re.compile(r"[nN]um|line-?no|linenr|utter|ln|gl|margin")
_NUMBER_ATTRIBUTES: Final = ("data-line-number", "data-line")
_TOP: Final = re.compile(r"(?:^|;)\s*top:\s*([0-9]{1,9})")
_MAX_DIGITS: Final = 9
_MAX_NESTED: Final = 4  # The number of `pre` around another one whose line numbers are removed.
_REACH: Final = 5  # The number of elements around line numbers to check for a name related to code.
_BLOCKS: Final = ("div", "li", "p", "ol", "pre")
_SAMPLE_CHARS: Final = 60
_MAX_EXAMPLES: Final = 100  # The text around each text field is searched for the same code.
_LINED: Final = elements(
    "//*[contains(@style, 'white-space') or contains(@class, 'pre-') or contains(@class, 'space-pre')]"
)
_KEEPS_LINES: Final = re.compile(
    r"white-space(?:-collapse)?\s*:\s*(?:pre|break-spaces)|(?:^|\s)(?:white-?space-pre|pre-(?:wrap|line)(?=\s|$))"
)
_IS_BLOCK: Final = re.compile(r"display\s*:\s*block")
_NO_TEXT: Final = word_set("table thead tbody tfoot tr ul ol dl select textarea script style pre")
_ADDED: Final = word_set("code-block-diff-add-line line-added line-inserted")
_REMOVED: Final = word_set("code-block-diff-remove-line line-removed line-deleted")


def simplify_code(tree: HtmlElement) -> None:
    """Simplify all code views. Call it before anything is removed: editors hide their lines from screen readers."""
    _keep_styled_lines(tree)
    beside: list[HtmlElement] = []
    for part in list(tree.iter("div", "ol", "ul", "pre")):
        classes = part.get("class") or ""
        tokens = classes.split()
        # A list with items of GeSHi or Prettify, or an editor, which may position its lines individually.
        item = part.find("li") if part.tag == "ol" else None
        is_numbered = item is not None and item.get("class") in _GESHI_ITEMS and _is_outside_code(part)
        is_editor = not _EDITORS.isdisjoint(tokens)
        if is_numbered or (is_editor and part.tag != "pre"):
            tops = {line: _TOP.search(line.get("style") or "") for line in part}
            part[:] = sorted(part, key=lambda line: int(top.group(1)) if (top := tops[line]) else 0)
            _make_block(part)
        elif not is_editor and not _LEFT_OUT.isdisjoint(tokens):
            part.drop_tree()
        elif not is_editor and _NUMBERS_NAME.search(classes) and part.find("code") is None:
            beside.append(part)
    _drop_numbers(tree)
    texts: dict[HtmlElement, str] = {}
    for area in list(islice(tree.iter("textarea"), _MAX_EXAMPLES)):
        if _is_example(area, texts):
            area.tag = "pre"
    for table in list(tree.iter("table")):
        _take_apart(table)
    for part in beside:
        if part.getparent() is not None and _is_numbers(part) and collapse(part.text_content()) and _is_near_code(part):
            part.drop_tree()


def _drop_numbers(tree: HtmlElement) -> None:
    """Remove the line numbers in `pre`, and write the signs of changed lines."""
    for block in [
        each for each in tree.iter("pre") if next(islice(each.iterancestors("pre"), _MAX_NESTED, None), None) is None
    ]:
        for part in list(block.iterdescendants(etree.Element)):
            if _is_number(part):
                part.drop_tree()
        _drop_running_numbers(block)
        _mark_changes(block)
        columns = block.findall("code")
        if len(columns) == len(block) == 2 and "".join(columns[0].text_content().split()).isdecimal():
            columns[0].drop_tree()


def _keep_styled_lines(tree: HtmlElement) -> None:
    """Keep the line ends of texts whose style says so; code that is a block becomes `pre`."""
    done: set[HtmlElement] = set()
    for part in _LINED(tree):
        style, names = part.get("style") or "", part.get("class") or ""
        if not (_KEEPS_LINES.search(style) or _KEEPS_LINES.search(names)):
            continue
        if part.tag == "code" and (_IS_BLOCK.search(style) or "block" in names.split()) and _is_outside_code(part):
            part.tag = "pre"
        elif part not in done:
            nodes = list(part.iter(etree.Element))
            done.update(nodes)
            _break_lines(part, nodes)


def _break_lines(part: HtmlElement, nodes: list[HtmlElement]) -> None:
    """Replace the line ends in a text whose style keeps them by `br`, and the indentation of its lines by no-break spaces."""
    for node in nodes:
        parent = node.getparent()
        if node is not part and parent.tag not in _NO_TEXT and "\n" in (node.tail or ""):
            node.tail = _put_lines(node.tail.split("\n"), parent, node.getnext())
        if node.tag not in _NO_TEXT and "\n" in (text := (node.text or "").strip("\n")) and _is_outside_code(node):
            node.text = _put_lines(text.split("\n"), node, node[0] if len(node) else None)


def _put_lines(lines: list[str], parent: HtmlElement, following: HtmlElement | None) -> str:
    """Put all lines but the first into an element, before `following` or at the end, each after a `br`. Return the first one."""
    for line in lines[1:]:
        end = parent.makeelement("br")
        end.tail = "\xa0" * (len(line) - len(line.lstrip(" "))) + line.lstrip(" ")
        if following is None:
            parent.append(end)
        else:
            following.addprevious(end)
    return lines[0]


def _mark_changes(block: HtmlElement) -> None:
    """Write the signs of added and removed lines, which style sheets draw."""
    changed = [line for line in block.iter("span", "div") if _change_of(line)]
    for parent in dict.fromkeys(line.getparent() for line in changed):
        for line in parent.iterchildren("span", "div"):
            if (change := _change_of(line)) or collapse(line.text_content()):
                line.text = f"{change or ' '} {line.text or ''}"


def _change_of(line: HtmlElement) -> str:
    """Return `+` or `-` for a line of code with the classes of a change, otherwise an empty text."""
    names = set((line.get("class") or "").split())
    if not names.isdisjoint(_ADDED) or names > {"diff", "add"} or names > {"ec-line", "ins"}:
        return "+"
    return "-" if not names.isdisjoint(_REMOVED) or names > {"diff", "remove"} or names > {"ec-line", "del"} else ""


def _is_outside_code(part: HtmlElement) -> bool:
    return next(part.iterancestors("pre"), None) is None


def _is_numbers(part: HtmlElement) -> bool:
    """Whether a part is named after line numbers and contains nothing else."""
    classes = part.get("class") or ""
    if _LINE_NAME.search(classes) or not _NUMBERS_NAME.search(classes):
        return False
    return bool(_NUMBERS.fullmatch(collapse(part.text_content())))


def _is_number(part: HtmlElement) -> bool:
    """Whether a part inside code is the number of its line."""
    classes, href, style = part.get("class", ""), part.get("href", ""), part.get("style", "")
    is_link, is_unselectable = part.tag == "a" and href.startswith("#"), "user-select" in style
    is_marked = is_link or is_unselectable or any(name in part.attrib for name in _NUMBER_ATTRIBUTES)
    if not (is_marked or _MARKED.search(classes)):
        return False  # quickly, for most parts
    if _is_numbers(part):
        return True
    text = part.text_content().strip()
    if not text.isdigit():
        return False
    if is_unselectable and re.search(r"user-select\s*:\s*none", style):
        return True
    if part.tag == "a" and not (part.tail or "").startswith("."):  # "1." is the number of a section
        return is_link and bool(href[len(href.rstrip("0123456789")) :].lstrip("0") == text.lstrip("0"))
    return not _LINE_NAME.search(part.get("class") or "") and text in map(part.get, _NUMBER_ATTRIBUTES)


def _drop_running_numbers(block: HtmlElement) -> None:
    """Remove consecutive line numbers at the beginning of each line, with any class name."""
    numbers: list[HtmlElement] = []
    is_begin, has_code = True, False
    for event, node in etree.iterwalk(block, events=("start", "end")):
        if event == "end" and node is block:
            break
        is_begin = is_begin or node.tag in _BLOCKS or node.tag in ("br", "tr")
        first, *more = ((node.text if event == "start" else node.tail) or "").split("\n")
        if first.strip() and is_begin:
            text = (node.text or "").strip()
            is_code = not _NUMBERS_IN_CODE.isdisjoint((node.get("class") or "").split())
            if event == "end" or node is block or len(node) or not text.isdecimal() or is_code:
                return
            if numbers and int(text[:_MAX_DIGITS]) != int(numbers[-1].text.strip()[:_MAX_DIGITS]) + 1:
                return
            numbers.append(node)
            is_begin = False
        else:
            has_code = has_code or bool(first.strip())
        if more:
            if any(map(str.strip, more)):
                return
            is_begin = True
    if len(numbers) > 1 and has_code:
        is_spaced = all((node.tail or "").startswith((" ", "\xa0")) for node in numbers)
        for node in numbers:
            node.tail = (node.tail or "")[1:] if is_spaced else node.tail
            node.drop_tree()


def _is_example(area: HtmlElement, texts: dict[HtmlElement, str]) -> bool:
    """Whether a text field shows code that is not in the page a second time for readers. `texts` are those of the elements around."""
    text = "".join((area.text or "").split())
    is_code = area.get("readonly") is not None or _OF_CODE.search(area.get("class") or "")
    if "\n" not in (area.text or "").strip() or not is_code:
        return False
    around = list(islice(area.iterancestors(), 2))
    for node in around:
        if node not in texts:
            texts[node] = "".join("".join(node.itertext()).split())
    return bool(around) and sum(texts[node].count(text[:_SAMPLE_CHARS]) for node in around) <= 2


def _is_near_code(part: HtmlElement) -> bool:
    if "pre" in [each.tag for each in (part.getprevious(), part.getnext()) if each is not None]:
        return True
    return any(_OF_CODE.search(node.get("class") or "") for node in [part, *islice(part.iterancestors(), _REACH)])


def _take_apart(table: HtmlElement) -> None:
    """Turn a table with line numbers next to code, or only code, into `pre`."""
    if table.find(".//table") is not None or not _is_outside_code(table):
        return
    lines: list[HtmlElement] = []
    is_named, is_near = False, _is_near_code(table)
    for row in table.iter("tr"):
        cells = [cell for cell in row if cell.tag in ("td", "th")]
        is_code = any(_CODE_CELL.search(cell.get("class") or "") for cell in cells)
        code = []
        for cell in cells:
            # In a row of code, a cell is a number if it is empty or, in a table of code, contains only a number.
            text = collapse(cell.text_content())
            is_blank = not text or (is_near and text.isdecimal())
            is_count = is_code and is_blank and not _CODE_CELL.search(cell.get("class") or "")
            block = cell.find("pre")
            is_column = is_near and len(cells) > 1 and block is not None and "".join(text.split()).isdecimal()
            code += [] if _is_numbers(cell) or is_count or is_column else [cell]
        if len(code) > 1 or (code and not is_code and len(code) == len(cells)):
            return
        is_named = is_named or is_code
        lines += code
    if not lines or not (is_named or is_near):
        return
    blocks = list(lines[0].iter("pre")) if len(lines) == 1 else []
    if len(blocks) == 1:
        table.addprevious(blocks[0])
        blocks[0].tail = None
        table.drop_tree()
        return
    table[:], table.text = lines, None
    _make_block(table)


def _make_block(holder: HtmlElement) -> None:
    """Turn an element with a block for each line into `pre`, without the white space between blocks."""
    holder.tag = "pre"
    holder.attrib.pop("aria-hidden", None)
    for node in holder.iter("div", "li", "p", "ol", "pre", "td", "th"):
        if node is not holder:
            node.tag = "div"
            node.tail = node.tail if (node.tail or "").strip() else None
        if next(node.iterchildren(*_BLOCKS, "td", "th"), None) is not None:
            node.text = node.text if (node.text or "").strip() else None
        elif not collapse(node.text_content()):
            node[:], node.text = [], "\n"
