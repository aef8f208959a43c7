"""Read a line of a manual page: its escapes, the arguments of a macro, and mdoc macros that call each other."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from app.extract.characters import word_set

_ESCAPE: Final = re.compile(
    r"\\(?:\*(?:\((?P<string>..)|\[(?P<named>[^\]\n]{1,40})\]|.)|[fFmMgkYVn][+-]?(?:\(..|\[[^\]\n]{0,80}\]|.)"
    r"|s(?:[+-]?\d{1,2}|\[[^\]\n]{0,9}\])|[hvwDlLobxXZzR]'[^'\n]{0,200}'|N'(?P<code>\d{1,4})'"
    r"|\((?P<short>..)|\[(?P<long>[^\]\n]{1,40})\]|(?P<sign>.)|\n)"
)
_COMMENT: Final = re.compile(r'(?<!\\)\\["#]')
_ARGUMENT: Final = re.compile(r'"((?:[^"]|"")*+)"?|((?:\\.|[^\s\\])++)')
_GLYPHS: Final = {
    "em": "—", "en": "–", "hy": "-", "mi": "−", "bu": "•", "aq": "'", "dq": '"', "oq": "‘", "cq": "’", "lq": "“", "rq": "”",
    "co": "©", "rg": "®", "tm": "™", "ti": "~", "ha": "^", "rs": "\\", "mu": "×", "de": "°", "+-": "±", "<=": "≤", ">=": "≥",
    "!=": "≠", "->": "→", "<-": "←", "ga": "`", "ua": "↑", "da": "↓", "sc": "§", "bv": "|", "ba": "|", "or": "|", "pl": "+",
    "eq": "=", "Fo": "«", "Fc": "»", "ss": "ß", ":a": "ä", ":o": "ö", ":u": "ü", ":A": "Ä", ":O": "Ö", ":U": "Ü", "'e": "é",
    "`e": "è", "at": "@", "sh": "#", "Do": "$", "Eu": "€", "sl": "/", "lB": "[", "rB": "]", "lC": "{", "rC": "}", "la": "⟨",
    "ra": "⟩", "if": "∞", "*m": "μ", "12": "½", "14": "¼", "34": "¾", "dg": "†", "sq": "□",
}  # fmt: skip
_ACCENTS: Final = {
    ":": "\u0308", "~": "\u0303", "^": "\u0302", "'": "\u0301", "`": "\u0300", "o": "\u030a", ",": "\u0327",
}  # fmt: skip
_STRINGS: Final = {
    'L"': "“", 'R"': "”", "--": "–", "Aq": "'", "PI": "π", "C+": "C++", "lq": "“", "rq": "”", "Tm": "™", "R": "®",
}  # fmt: skip
"""Strings that common generators define."""
_SIGNS: Final = {"e": "\\", "\\": "\\", "~": "\xa0", "0": " ", "t": "\t"}
_NOTHING: Final = "&/,|^%:c)dupr{}!?za"  # Escapes that set no character.
_ENCLOSING: Final = {
    "Dq": "“”", "Sq": "‘’", "Qq": '""', "Ql": "‘’", "Aq": "⟨⟩", "Bq": "[]", "Brq": "{}", "Pq": "()", "Op": "[]",
}  # fmt: skip
_OPENING: Final = {"Do": "“", "Oo": "[", "Po": "(", "Bo": "[", "Ao": "⟨", "Qo": '"', "So": "‘", "Bro": "{"}
_CLOSING: Final = {"Dc": "”", "Oc": "]", "Pc": ")", "Bc": "]", "Ac": "⟩", "Qc": '"', "Sc": "’", "Brc": "}"}
_SYSTEMS: Final = {"Ux": "UNIX", "Bx": "BSD", "Fx": "FreeBSD", "Nx": "NetBSD", "Ox": "OpenBSD"}
_FORMATS: Final = word_set("Ar Cm Ic Li Em Sy Ev Pa Va Vt Fa Ft Er Dv Tn In No An Lb St Mt Lk Cd Ad Fn Xr Fl Nm Pf Ns")
_AFTER: Final = frozenset(".,:;?!)]")


def plain(text: str) -> str:
    """Return text without escapes and comments."""
    if "\\" not in text:
        return text
    comment = _COMMENT.search(text)
    return _ESCAPE.sub(_character, text[: comment.start()] if comment else text)


def words_of(text: str) -> list[str]:
    """Return the arguments of a macro, which are separated by spaces or quoted."""
    comment = _COMMENT.search(text)
    found = _ARGUMENT.findall(text[: comment.start()] if comment else text)
    return [plain(quoted.replace('""', '"') or bare) for quoted, bare in found]


def mdoc_text(line: str, name: str) -> str:
    """Return the text of mdoc macros and their arguments in a program named `name`."""
    written = _Written()
    macro, last_macro = "", 0
    words = words_of(line)
    last = len(words)
    while last and words[last - 1] in _AFTER:
        last -= 1
    words, after = words[:last], words[last:]
    for at, word in enumerate(words):
        ends = (
            at + 1 == len(words) or words[at + 1] in _FORMATS or words[at + 1] in _AFTER or words[at + 1] in _ENCLOSING
        )
        if word in _FORMATS:
            macro, last_macro = word, at
            written.is_joined |= word == "Ns"
            written.add({"Nm": name, "Fl": "-", "Ar": "file ..."}.get(word, "") if ends else "")
        elif not written.take_mark(word):
            since = at - last_macro
            if macro == "Xr" and since == 2:
                written.add(f"({word})", is_joined=True)
            elif macro == "Fn":
                written.add(f"{word}(" if since == 1 else word if since == 2 else f", {word}", is_joined=since > 1)
                if since == 1:
                    written.closers.append(")")
            else:
                written.add(f"-{word}" if macro == "Fl" and word not in _AFTER and word != "|" else word)
            written.is_joined |= macro == "Pf" and since == 1
    return written.closed() + "".join(after)


class _Written:
    """Words that are joined with spaces, but not around punctuation, and the marks that close them."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self.closers: list[str] = []
        self.is_joined = True

    def take_mark(self, word: str) -> bool:
        """Write a macro that stands for marks or a name. Return whether it is one."""
        if opening := _OPENING.get(word) or _ENCLOSING.get(word):
            self.add(opening[0])
            self.closers += opening[1:]
            self.is_joined = True
        elif closing := _CLOSING.get(word):
            self.is_joined = True
            self.add(closing)
        elif system := _SYSTEMS.get(word):
            self.add(system)
        return bool(opening or word in _CLOSING or word in _SYSTEMS)

    def add(self, text: str, *, is_joined: bool = False) -> None:
        if text:
            self._parts.append(text if is_joined or self.is_joined or text in _AFTER else f" {text}")
            self.is_joined = text in ("(", "[")

    def closed(self) -> str:
        return "".join([*self._parts, *reversed(self.closers)])


def _character(escape: re.Match[str]) -> str:
    if code := escape["code"]:
        return chr(int(code))
    if sign := escape["sign"]:
        return _SIGNS.get(sign, "" if sign in _NOTHING else sign)
    if string := escape["string"] or escape["named"]:
        return _STRINGS.get(string, "")
    name = escape["short"] or escape["long"] or ""
    if re.fullmatch(r"u[0-9A-F]{4,6}", name) and int(name[1:], 16) < 0x110000:
        return chr(int(name[1:], 16))
    if name not in _GLYPHS and len(name) == 2 and name[0] in _ACCENTS:
        return unicodedata.normalize("NFC", name[1] + _ACCENTS[name[0]])
    return _GLYPHS.get(name, "")
