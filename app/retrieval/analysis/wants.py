"""What kind of passage answers a question, judged by the question's form."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from app.retrieval.records import Want

_FORMS: Final = {
    Want.CODE: (
        r"\bhow (?:do|can|could|would|should|to)\b|\b(?:command|snippet|one-?liner|code|syntax|script)s?\b"
        r"|\bdo i (?:type|write|pass|call)\b|\bfrom the shell\b"
        r"|\b(?:which|what)(?: \w+)? (?:function|method|call|flag|option|switch|argument|parameter|setting|directive)\b"
    ),
    Want.NUMBER: (
        r"\bhow (?:many|much|long|large|big|wide|deep|far|old|often|soon|high|expensive|fast|small|late|early|tall|heavy)\b"
        r"|\b(?:maximum|minimum|max|min|cap on|(?:upper|lower) bound|thresholds?|at what (?:size|point|age))\b"
        r"|\b(?:the|a|any|built-in|hard|soft) limit\b|\blimits? (?:of|on)\b|\b(?:what|which) (?:size|value|number|port)\b"
    ),
    Want.DEFAULT: (
        r"\b(?:defaults?|out of the box)\b|\bunless (?:told|set|said|stated|given|specified)\b"
        r"|\bleft (?:blank|empty|out|unset)\b|\b(?:if|when) (?:unset|omitted|empty|nothing is)\b|\bis none\b"
        r"|\b(?:if|when) (?:i|we|you|nobody|nothing|none) .{0,30}?\b(?:no|none|nothing|out|alone)\b"
    ),
    Want.DEFINITION: (
        r"^what (?:is|are) (?:an? |the )?[\w.`-]+(?: [\w.`-]+)?\?|\bmeant by\b|\bwhat does .{1,60}\bmean\b"
        r"|\bstands? for\b|\bdefinition of\b|^define\b|\bwhat (?:is|are) .{1,40} (?:good )?for\?"
    ),
    Want.REASON: (
        r"\bwhy\b|\bhow come\b|\breasons?\b|\bto blame\b|\bcauses?\b|\bwhat (?:is|could be|goes|went) (?:wrong|behind)\b"
    ),
    Want.CHOICE: (
        r"\b(?:better|best|prefer\w*|faster|quicker|slower|cheaper|recommend\w*|advis\w+|instead|rather|versus|vs)\b"
        r"|\bcompar\w+|\bdifference\b|\bdiffers?\b|\b(?:good|poor|bad|right) (?:choice|fit|idea)\b"
        r"|\bshould i\b|\bwhich (?:one|of)\b|\bor should\b|\bwhen should\b"
    ),
    Want.WARNING: (
        r"\b(?:un)?safe(?:ly)?\b|\bdanger\w*|\brisk\w*|\bin?secure\b|\bharm\w*|\bsound\b|\bcorrupt\w*|\blos(?:e|t|ing)\b"
        r"|\ballowed\b|\bgo(?:es)? wrong\b|\bexpected\?|\bnormal\?|\bcaveats?\b|\bpitfalls?\b"
    ),
    Want.TABLE: (
        r"\b(?:overview|comparison|summary) table\b|\bas an? table\b|\btable of\b"
        r"|\bwhich (?:options|values|formats|codes|levels|modes|types) (?:are|is|do|does|can|may|exist)\b"
    ),
}
_QUESTION_FORMS: Final = {want: re.compile(form, re.IGNORECASE) for want, form in _FORMS.items()}
_CONSTRAINT_FORMS: Final = {
    Want.CODE: r"\b(?:code|snippet|command|example|implementation|script|syntax)s?\b",
    Want.TABLE: r"\btable|\btabular|\blist\b",
    Want.NUMBER: r"\bnumbers?\b|\bfigures?\b|\bbenchmarks?\b|\bstatistics\b|\bmeasur\w+|\bquantitative\b|\blimits?\b",
    Want.DEFAULT: r"\bdefaults?\b",
    Want.DEFINITION: r"\bdefin(?:e|ition)s?\b",
    Want.REASON: r"\breasons?\b|\bwhy\b|\brationale\b|\bexplain",
    Want.CHOICE: r"\brecommend\w*|\badvice\b|\bbest practices?\b|\btrade-?offs?\b|\bcompar\w+",
    Want.WARNING: r"\bwarnings?\b|\bcaveats?\b|\bpitfalls?\b|\bsecurity\b|\blimitations?\b|\brisks?\b",
}
_OF_CONSTRAINTS: Final = {want: re.compile(form, re.IGNORECASE) for want, form in _CONSTRAINT_FORMS.items()}
_REFUSAL: Final = re.compile(r"\b(?:no|not|without|avoid|exclud\w+|don't|do not|never|except)\b", re.IGNORECASE)


def wants_of(question: str, constraints: Sequence[str] = ()) -> tuple[Want, ...]:
    """The kinds of passage that the question and its constraints ask for, in the order of `Want`; often none."""
    asked = {want for want, form in _QUESTION_FORMS.items() if form.search(question)}
    for constraint in constraints:
        asked |= {want for want, form in _OF_CONSTRAINTS.items() if form.search(constraint)}
    return tuple(want for want in Want if want in asked)


def is_refusal(constraint: str) -> bool:
    """Whether a constraint says what is not wanted: its words would find just that."""
    return _REFUSAL.search(constraint) is not None
