"""Formulas in every notation: LaTeX between dollar signs."""

from __future__ import annotations

import pytest

from tests.extract.pages import text_of

MATH = '<math xmlns="http://www.w3.org/1998/Math/MathML"{}>{}</math>'


def inline(markup: str) -> str:
    return text_of(f"<main><p>so {markup} holds</p></main>").removeprefix("so ").removesuffix(" holds")


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        (r"<span class='math notranslate nohighlight'>\(a_1 &lt; b\)</span>", "$a_1 < b$"),
        (r"<span class=arithmatex>\(\lambda\)</span>", r"$\lambda$"),
        (r"<script type='math/tex'>x^2</script>", "$x^2$"),
        (r"<span class='MathJax_Preview'>x</span><script type='math/tex'>x</script>", "$x$"),
        ("<img class=math alt='x+1' src=m.png>", "$x+1$"),
        (MATH.format(" alttext='E=mc^2'", "<mi>E</mi>"), "$E=mc^2$"),
        (
            MATH.format(
                "", "<semantics><mi>x</mi><annotation encoding='application/x-tex'>x'</annotation></semantics>"
            ),
            "$x'$",
        ),
        (
            "<span class=katex><span class=katex-mathml>"
            + MATH.format(
                "", "<semantics><mi>a</mi><annotation encoding='application/x-tex'>a</annotation></semantics>"
            )
            + "</span><span class=katex-html aria-hidden=true>a</span></span>",
            "$a$",
        ),
        (
            "<span class=mwe-math-element><span class=mwe-math-mathml-inline style='display: none;'>"
            + MATH.format(r" alttext='{\displaystyle x_{1}}'", "<mi>x</mi>")
            + "</span><img src=x.svg class=mwe-math-fallback-image-inline alt='x'></span>",
            "$x_{1}$",
        ),
    ],
)
def test_sources(markup: str, expected: str) -> None:
    assert inline(markup) == expected


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("<mfrac><mi>a</mi><mrow><mi>b</mi><mo>+</mo><mn>1</mn></mrow></mfrac>", r"\frac{a}{b+1}"),
        ("<msup><mi>x</mi><mn>2</mn></msup><mo>≤</mo><mi>y</mi>", r"x^2\le y"),
        ("<msubsup><mi>x</mi><mi>i</mi><mn>10</mn></msubsup>", "x_i^{10}"),
        ("<msqrt><mi>x</mi><mo>−</mo><mi>y</mi></msqrt>", r"\sqrt{x-y}"),
        ("<mroot><mi>x</mi><mn>3</mn></mroot>", r"\sqrt[3]{x}"),
        (
            "<munderover><mo>∑</mo><mrow><mi>i</mi><mo>=</mo><mn>1</mn></mrow><mi>n</mi></munderover><mi>i</mi>",
            r"\sum_{i=1}^ni",
        ),
        ("<mover><mi>v</mi><mo>→</mo></mover>", r"\vec{v}"),
        ("<mi>sin</mi><mi>α</mi>", r"\sin\alpha"),
        ("<mi>speed</mi>", r"\mathrm{speed}"),
        ("<mtext>if </mtext><mi>x</mi>", r"\text{if}x"),
        (
            "<mtable><mtr><mtd><mi>a</mi></mtd><mtd><mi>b</mi></mtd></mtr><mtr><mtd><mi>c</mi></mtd></mtr></mtable>",
            r"\begin{matrix}a & b \\ c\end{matrix}",
        ),
        ("<mfenced open='[' close=']'><mi>a</mi><mi>b</mi></mfenced>", r"\left[a,b\right]"),
        ("<mrow><mi>a</mi><mo>&#x2062;</mo><mi>b</mi></mrow>", "ab"),
        ("<msup><mrow><mi>a</mi><mi>b</mi></mrow><mn>2</mn></msup>", "{ab}^2"),
    ],
)
def test_presentation_mathml(content: str, expected: str) -> None:
    assert inline(MATH.format("", content)) == f"${expected}$"


def test_display_formulas_are_separate_blocks() -> None:
    text = text_of(
        "<main><p>Then</p><div class='math'>\\[x\n= y\\]</div>"
        f"<p>or {MATH.format(' display=block', '<mi>z</mi>')} holds</p>"
        "<script type='math/tex; mode=display'>w</script></main>"
    )
    assert text == "Then\n\n$$\nx\n= y\n$$\n\nor\n\n$$z$$\n\nholds\n\n$$w$$"


def test_a_formula_in_a_list_item_keeps_the_indentation() -> None:
    text = text_of("<main><ul><li>see <div class=math>\\[a\nb\\]</div></ul></main>")
    assert text == "- see\n\n  $$\n  a\n  b\n  $$"
