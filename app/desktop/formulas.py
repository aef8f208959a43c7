"""Readable formulas: the LaTeX of a stored page as one line of Unicode."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from app.text.markdown_blocks import CODE_SPAN

FORMULA: Final = r"\$\$[^$\n]+\$\$|(?<!\\)\$(?![\s$])(?:[^$\n\\]|\\.)+?(?<![\s\\])\$(?!\d)"
"""Matches an inline formula with its delimiters."""
MAX_CHARS: Final = 2_000  # Maximum length of a formula to convert.
MAX_DEPTH: Final = 24
SHORT: Final = 3  # Maximum length of text between dollar signs that counts as a formula without any math symbol.

_IN_TEXT: Final = re.compile(rf"(?P<fence>^```[^`]*?(?:^```|\Z))|{CODE_SPAN}|(?P<formula>{FORMULA})", re.MULTILINE)
_TOKEN: Final = re.compile(r"\\[A-Za-z]+\*?|\\.|[{}^_&~]|\s+|[^\\{}^_&~\s]", re.DOTALL)
_SIGN: Final = re.compile(r"[\\^_{}=<>+()|]")
_ATOM: Final = re.compile(r"\w++[⁰-⁹₀-₉′]*+|[^\w\s]")
_SPACES: Final = re.compile(r"\s+")

_SYMBOLS: Final[dict[str, str]] = {
    name: sign
    for line in (
        "alpha α beta β gamma γ delta δ epsilon ε varepsilon ε zeta ζ eta η theta θ vartheta ϑ iota ι kappa κ lambda λ mu μ nu ν",
        "xi ξ pi π varpi ϖ rho ρ varrho ϱ sigma σ varsigma ς tau τ upsilon υ phi φ varphi φ chi χ psi ψ omega ω",
        "Gamma Γ Delta Δ Theta Θ Lambda Λ Xi Ξ Pi Π Sigma Σ Upsilon Υ Phi Φ Psi Ψ Omega Ω ell ℓ hbar ℏ Re ℜ Im ℑ aleph ℵ",
        "times × cdot · div ÷ pm ± mp ∓ ast ∗ star ⋆ circ ∘ bullet • oplus ⊕ ominus ⊖ otimes ⊗ odot ⊙ wedge ∧ vee ∨ land ∧ lor ∨",
        "cap ∩ cup ∪ setminus ∖ leq ≤ le ≤ geq ≥ ge ≥ neq ≠ ne ≠ ll ≪ gg ≫ approx ≈ equiv ≡ sim ∼ simeq ≃ cong ≅ propto ∝",
        "in ∈ notin ∉ ni ∋ subset ⊂ supset ⊃ subseteq ⊆ supseteq ⊇ emptyset ∅ varnothing ∅ forall ∀ exists ∃ nexists ∄ neg ¬ lnot ¬",
        "to → rightarrow → leftarrow ← gets ← leftrightarrow ↔ Rightarrow ⇒ Leftarrow ⇐ Leftrightarrow ⇔ iff ⇔ implies ⇒ mapsto ↦",
        "longrightarrow → longleftarrow ← uparrow ↑ downarrow ↓ hookrightarrow ↪ rightharpoonup ⇀",
        "sum ∑ prod ∏ coprod ∐ int ∫ iint ∬ iiint ∭ oint ∮ bigcup ⋃ bigcap ⋂ bigoplus ⨁ bigotimes ⨂ partial ∂ nabla ∇ infty ∞",
        "ldots … dots … cdots ⋯ vdots ⋮ ddots ⋱ prime ′ angle ∠ perp ⊥ parallel ∥ mid | vert | Vert ‖ lvert | rvert | lVert ‖",
        "rVert ‖ langle ⟨ rangle ⟩ lfloor ⌊ rfloor ⌋ lceil ⌈ rceil ⌉ lbrace { rbrace } backslash \\ degree ° top ⊤ bot ⊥ vdash ⊢",
        "models ⊨ therefore ∴ because ∵ square □ Box □ triangle △ dagger † ddagger ‡ colon :",
    )
    for name, sign in zip(*[iter(line.split())] * 2, strict=True)
}
_SUPERSCRIPTS: Final = str.maketrans(
    "0123456789+-−=()abcdefghijklmnoprstuvwxyzABDEGHIJKLMNOPRTUVW′∗*",
    "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻᴬᴮᴰᴱᴳᴴᴵᴶᴷᴸᴹᴺᴼᴾᴿᵀᵁⱽᵂ′**",
)
_SUBSCRIPTS: Final = str.maketrans("0123456789+-−=()aehijklmnoprstuvx", "₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓ")
_DOUBLE: Final = dict(zip("CHNPQRZ", "ℂℍℕℙℚℝℤ", strict=True))
_ACCENTS: Final = {
    "hat": "\u0302", "widehat": "\u0302", "bar": "\u0304", "overline": "\u0304", "tilde": "\u0303", "widetilde": "\u0303",
    "vec": "\u20d7", "dot": "\u0307", "ddot": "\u0308", "underline": "\u0332",
}  # fmt: skip
_DROPPED: Final = frozenset(
    name
    for line in (
        "left right big Big bigg Bigg bigl bigr Bigl Bigr middle displaystyle textstyle scriptstyle limits nolimits",
        "label tag nonumber notag bf rm it boldsymbol mathbf mathrm mathit mathsf mathtt mathcal mathfrak mathscr operatorname",
        "operatorname* text textbf textit textrm texttt mbox hbox emph bm pmb mathop",
    )
    for name in line.split()
)  # Commands that are dropped, so that only their argument is displayed.
_SPACING: Final = frozenset({"quad", "qquad", "enspace", "thinspace", "space"})
_GAPS: Final = frozenset({"\\,", "\\;", "\\:", "\\ ", "\\>", "~"})


@lru_cache(maxsize=512)
def readable(tex: str) -> str:
    """Convert LaTeX without delimiters to Unicode. Returns it unchanged if it is too long or nested too deeply."""
    if len(tex) > MAX_CHARS:
        return tex
    reader = _Reader(_TOKEN.findall(tex))
    try:
        shown = reader.sequence(0)
    except RecursionError:
        return tex
    return _SPACES.sub(" ", shown).strip() or tex.strip()


def shown_formula(written: str) -> str:
    """Convert a formula with delimiters to readable text, if it is a formula."""
    marks = 2 if written.startswith("$$") and written.endswith("$$") and len(written) > 4 else 1
    inner = written[marks:-marks]
    return readable(inner) if len(inner) <= SHORT or _SIGN.search(inner) else written


def with_formulas(text: str) -> str:
    """Convert the formulas in Markdown to readable text, except in code."""
    if "$" not in text:
        return text
    return _IN_TEXT.sub(lambda match: shown_formula(match["formula"]) if match["formula"] else match.group(), text)


class _Reader:
    """Parses the tokens of a formula in one pass and ignores unmatched braces."""

    def __init__(self, tokens: list[str]) -> None:
        self._tokens = tokens
        self._place = 0

    def sequence(self, depth: int) -> str:
        """Return everything up to the end of the group."""
        if depth > MAX_DEPTH:
            raise RecursionError
        parts: list[str] = []
        while self._place < len(self._tokens):
            if self._tokens[self._place] == "}":
                self._place += 1
                if depth:
                    break
                continue
            parts.append(self._one(depth))
        return "".join(parts)

    def _argument(self, depth: int) -> str:
        """Return the next group, command or symbol."""
        while self._place < len(self._tokens) and self._tokens[self._place].isspace():
            self._place += 1
        if self._place < len(self._tokens) and self._tokens[self._place] == "}":
            return ""
        return self._one(depth).strip()

    def _one(self, depth: int) -> str:
        token = self._tokens[self._place] if self._place < len(self._tokens) else ""
        self._place += 1
        if token == "{":
            return self.sequence(depth + 1)
        if token in "^_" and token:
            return _raised(self._argument(depth + 1), token)
        if token.startswith("\\") and len(token) > 1:
            return self._command(token, depth)
        return " " if token in ("&", "~") or token.isspace() else token

    def _command(self, token: str, depth: int) -> str:
        name = token[1:]
        if name in ("frac", "dfrac", "tfrac", "cfrac"):
            return f"{_grouped(self._argument(depth + 1))}/{_grouped(self._argument(depth + 1))}"
        if name in ("binom", "dbinom", "tbinom"):
            return f"({self._argument(depth + 1)} over {self._argument(depth + 1)})"
        if name == "sqrt":
            return self._root(depth)
        if name == "mathbb":
            return "".join(_DOUBLE.get(letter, letter) for letter in self._argument(depth + 1))
        if name in _ACCENTS:
            inner = self._argument(depth + 1)
            return inner + _ACCENTS[name] if len(inner) == 1 else inner
        if name in ("begin", "end"):
            self._argument(depth + 1)
            return " "
        if token == "\\\\":
            return "; "
        if token in _GAPS or name in _SPACING:
            return " "
        if name in _DROPPED or token in ("\\!", "\\(", "\\)", "\\[", "\\]"):
            return ""
        return _SYMBOLS.get(name, name)

    def _root(self, depth: int) -> str:
        degree = ""
        if self._place < len(self._tokens) and self._tokens[self._place] == "[":
            end = self._tokens.index("]", self._place) if "]" in self._tokens[self._place :] else self._place
            degree = _raised("".join(self._tokens[self._place + 1 : end]), "^") if end > self._place else ""
            self._place = end + 1
        return f"{degree}√{_grouped(self._argument(depth + 1))}"


def _raised(inner: str, mark: str) -> str:
    """Return a superscript or subscript if Unicode has all its characters."""
    letters = _SUPERSCRIPTS if mark == "^" else _SUBSCRIPTS
    if inner in ("∘", "°") and mark == "^":
        return "°"
    tight = inner.replace(" ", "")
    if tight and letters.keys() >= set(map(ord, tight)):
        return tight.translate(letters)
    return f"{mark}{_grouped(inner)}" if inner else mark


def _grouped(inner: str) -> str:
    """Wrap in parentheses, unless it is a single word or symbol."""
    return inner if _ATOM.fullmatch(inner) else f"({inner})"
