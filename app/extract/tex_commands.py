"""The commands and environments of LaTeX that `latex` knows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from app.extract.characters import word_set

SECTIONS: Final = ("part", "chapter", "section", "subsection", "subsubsection", "paragraph", "subparagraph")
STYLES: Final = {
    "textbf": "strong", "emph": "em", "textit": "em", "textsl": "em", "texttt": "code", "textsuperscript": "sup",
    "textsubscript": "sub", "sout": "del", "st": "del", "enquote": "q", "footnotemark": "span",
}  # fmt: skip
LISTS: Final = {
    "itemize": "ul", "enumerate": "ol", "description": "dl", "compactitem": "ul", "compactenum": "ol", "thebibliography": "ul",
}  # fmt: skip
BLOCKS: Final = {
    **dict.fromkeys(("quote", "quotation", "verse", "displayquote"), "blockquote"), **dict.fromkeys(("Highlighting", "alltt"), "pre"),
}  # fmt: skip
TABLES: Final = word_set("tabular tabularx tabulary tabu longtable xltabular supertabular")
FORMULAS: Final[Mapping[str, str]] = {
    **dict.fromkeys(("equation", "displaymath", "math", "multline"), ""),
    **dict.fromkeys(("align", "flalign", "eqnarray", "alignat"), "aligned"), "gather": "gathered",
}  # fmt: skip
"""Environments of formulas, and the environment that keeps their lines inside a formula."""
CODE_ENVIRONMENTS: Final = word_set("verbatim Verbatim lstlisting minted semiverbatim BVerbatim LVerbatim")
SKIPPED_ENVIRONMENTS: Final = word_set("comment tikzpicture pgfpicture filecontents picture CCSXML asy")
CITATIONS: Final = word_set(
    "cite citep citet citealp citealt citeauthor citeyear autocite parencite textcite footcite fullcite"
)
REFERENCES: Final = word_set("ref eqref autoref cref Cref vref pageref nameref hyperref")
SKIPPED_ARGUMENTS: Final = {
    **dict.fromkeys(
        ("title", "author", "date", "documentclass", "usepackage", "label", "vspace", "hspace", "pagestyle", "thispagestyle",
         "bibliographystyle", "bibliography", "addbibresource", "hypersetup", "lstset", "geometry", "cline", "cmidrule", "color",
         "textcolor", "colorbox", "nocite", "index", "pagenumbering", "RequirePackage", "usetikzlibrary", "graphicspath",
         "selectlanguage", "foreignlanguage", "hyperlink", "hypertarget", "tabular", "longtable", "tabu", "supertabular",
         "minipage", "multicols", "thebibliography", "adjustbox", "wraptable", "scalebox", "raisebox", "definecolor", "theoremstyle",
         "setcitestyle", "vskip", "phantom", "hphantom", "vphantom", "parbox", "arraystretch", "pdfbookmark", "ifthenelse"), 1,
    ),
    **dict.fromkeys(
        ("setlength", "addtolength", "setcounter", "addtocounter", "newtheorem", "tabularx", "tabulary", "xltabular", "wrapfigure",
         "multirow", "resizebox", "rule", "fontsize", "newenvironment"), 2,
    ),
    "addcontentsline": 3,
}  # fmt: skip
"""The number of arguments that are not text, of commands and of environments."""
SYMBOLS: Final = {
    "ldots": "…", "dots": "…", "textellipsis": "…", "textbackslash": "\\", "textasciitilde": "~", "textasciicircum": "^", "LaTeX": "LaTeX",
    "TeX": "TeX", "LaTeXe": "LaTeX2e", "BibTeX": "BibTeX", "ss": "ß", "ae": "æ", "AE": "Æ", "oe": "œ", "OE": "Œ", "o": "ø", "O": "Ø",
    "l": "ł", "L": "Ł", "aa": "å", "AA": "Å", "i": "ı", "j": "ȷ", "copyright": "©", "textcopyright": "©", "S": "§", "P": "¶", "dag": "†",
    "ddag": "‡", "euro": "€", "texteuro": "€", "pounds": "£", "textdegree": "°", "degree": "°", "textregistered": "®",
    "texttrademark": "™", "quad": " ", "qquad": " ", "space": " ", "textbar": "|", "textless": "<", "textgreater": ">",
    "textquotedbl": '"', "textendash": "–", "textemdash": "—", "textbullet": "•", "glqq": "„", "grqq": "“", "flqq": "«", "frqq": "»",
    "guillemotleft": "«", "guillemotright": "»", "textquotesingle": "'", "textunderscore": "_", "textasciigrave": "`",
    "textperiodcentered": "·", "textmu": "µ", "texttimes": "×", "textpm": "±", "and": ", ", "newline": " ", "linebreak": " ", "slash": "/",
}  # fmt: skip
ACCENTS: Final = {
    "'": "\u0301", "`": "\u0300", "^": "\u0302", '"': "\u0308", "~": "\u0303", "=": "\u0304", ".": "\u0307",
}  # fmt: skip
LETTER_ACCENTS: Final = {
    "c": "\u0327", "v": "\u030c", "u": "\u0306", "H": "\u030b", "k": "\u0328", "r": "\u030a", "d": "\u0323", "b": "\u0331",
}  # fmt: skip
