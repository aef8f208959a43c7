"""Headings and words that name nothing by themselves."""

from __future__ import annotations

from typing import Final

from app.text.terms import STOP_WORDS

_CODE: Final = "none true false null nil undefined nan inf self this cls args kwargs void eof ok yes no todo fixme"

_WORDS: Final = """
abstract|acknowledgement|advanced|advanced usage|appendix|argument|attribute|author|availability|available option|back|background
|basic|basic example|basic usage|below|bibliography|bug|bugs|caution|caveat|change|changed|changelog|class|classes|click here|code
|command|comment|compatibility|conclusion|conformance|content|contents|copyright|credit|default|definition|description|detail
|detailed description|diagnostic|discussion|document|documentation|download|edit|environment|error|event|example|example usage
|exception|exit status|faq|feature|field|file|follow|footnote|for example|full example|function|further reading|general|getting started
|glossary|guide|help|here|history|home|how it works|how to|implementation note|important|in this article|index|info|information
|installation|interface|introduction|item|keyword|learn more|legal|license|licence|limitation|link|list|main|manual|method|misc
|miscellaneou|miscellaneous|module|more|more example|more info|more information|motivation|name|new|news|next|next step|note|on this page
|operation|option|other|overview|package|page|parameter|permission|preface|prerequisite|previous|procedure|property|purpose|quick start
|quickstart|raise|rationale|read more|readme|recommendation|reference|related|related link|related topic|remark|request|requirement
|resource|response|result|return|return value|returns|search|section|see also|see|setting|setup|show|solution|source|source code|start
|step|subclass|summary|support|symbol|syntax|synopsis|table|table of contents|table of content|this|this document|this page|tip|to do|top
|topic|tutorial|type|up|usage|usage example|use|useful link|user guide|value|variable|version|view|warning|welcome|what is new|what's new
|what’s new|yield|github|source file|the documentation|this section|above|following|contact|about|terms|privacy policy|cookie|sign in|log in
|beispiel|beispiele|einleitung|einführung|inhalt|inhaltsverzeichnis|siehe auch|übersicht|zusammenfassung|hinweis|verwendung|hier
|exemple|exemples|introduction générale|sommaire|voir aussi|remarque|ici|ejemplo|ejemplos|introducción|índice|véase también|resumen|aquí
|esempio|esempi|introduzione|indice|vedi anche|riepilogo|qui
"""
_GENERIC: Final = STOP_WORDS | frozenset(_CODE.split()) | frozenset(word.strip() for word in _WORDS.split("|"))


def is_generic(folded: str) -> bool:
    """Whether a folded term or lower-case name says nothing by itself: `example`, `see also`, `none`."""
    return folded in _GENERIC
