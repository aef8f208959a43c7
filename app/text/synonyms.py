"""Other words for the same thing in texts about computing, for readers who ask in their own words."""

from __future__ import annotations

from typing import Final

from app.text.terms import exact_names, query_terms, stem, words

MAX_SYNONYMS: Final = 64

_GROUPS: Final = """
delete remove drop erase discard purge
create make generate build add
list enumerate show display print
modify edit alter update change
copy duplicate clone replicate
move rename relocate
find search lookup locate query
get fetch retrieve obtain read
set assign configure
send transmit submit post
save store persist write
load import open
start launch begin boot startup
stop end terminate quit exit shutdown kill
wait block pause delay
repeat retry again
undo revert rollback restore
split divide partition separate
merge combine join
connect attach link join
disconnect detach
sort order rank
choose select pick
compare diff difference
check verify validate test
compress pack zip
encrypt cipher
install setup
upgrade update
allow permit enable
forbid deny refuse reject disallow prohibit prevent
enable activate
disable deactivate
warn warning caution
guess estimate predict
train fit learn
error failure fault exception problem
fail crash abort break
reason cause why
default standard automatic
option setting parameter configuration flag
argument parameter
function method routine procedure
variable field attribute property
folder directory
file document
picture image
package library module
version release revision
thread worker
process job task
user account
login signin authenticate
password secret credential passphrase
permission privilege right
site website host
address url uri
computer machine host system
memory ram
disk drive storage
row record entry line
key identifier id
text string
letter character
number integer count amount
time duration period
timeout expire expiry
cost overhead expense price
example sample
mean average
maximum max limit largest upper
minimum min smallest lower least
size length
fast quick speed performance
slow sluggish
big large huge
small tiny little
concurrent parallel simultaneous
empty blank null missing
hidden invisible
old stale outdated obsolete
new recent fresh latest
unsafe insecure dangerous
random arbitrary
"""
"""One group a line; a word may stand in several."""

ORIGINAL_WEIGHT: Final = 2
"""How often a word of the question counts against once for its synonyms: with equal counts exact questions lose."""


def _by_stem() -> dict[str, tuple[str, ...]]:
    found: dict[str, dict[str, None]] = {}
    for group in _GROUPS.split("\n"):
        for word in group.split():
            others = found.setdefault(stem(word), {})
            others.update(dict.fromkeys(other for other in group.split() if other != word))
    return {word: tuple(others) for word, others in found.items()}


_SYNONYMS: Final = _by_stem()


def synonyms(word: str) -> tuple[str, ...]:
    """Other words for a lower-case English word in any of its forms; none for most words."""
    return _SYNONYMS.get(stem(word), ())


def expanded_terms(text: str) -> tuple[str, ...]:
    """The query terms of a text for a keyword search, each ORIGINAL_WEIGHT times, and their synonyms once.

    BM25 adds up what every term of a query finds, so a repeated term weighs more. Names of code have no synonyms. At most
    ORIGINAL_WEIGHT * MAX_QUERY_TERMS + MAX_SYNONYMS terms; without synonyms the terms come once.
    """
    terms = query_terms(text)
    named = {word for name in exact_names(text) for word in (name.lower(), *words(name))}
    others = dict.fromkeys(other for term in terms if term not in named for other in synonyms(term))
    added = tuple(other for other in others if other not in terms)[:MAX_SYNONYMS]
    return terms * ORIGINAL_WEIGHT + added if added else terms
