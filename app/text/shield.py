"""Detect passages that address the assistant instead of the reader, and addresses that may carry data away.

Flagged text is never dropped: the flag warns the assistant and the user. The wordings are phrases searched in lowercase text with single
spaces. All repetitions are bounded, so that no text takes long.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Final
from urllib.parse import parse_qsl, unquote, urlsplit

from app.text.scripts import normalized
from app.text.sentence import sentence

MAX_FLAGS_REMEMBERED: Final = 1_024  # The number of texts whose flags are cached: the same passages appear repeatedly.
ENCODED_RUN_CHARS: Final = 150  # The length from which encoded text is flagged; a SHA-512 in hexadecimal is shorter.
ESCAPED_RUN_UNITS: Final = 24  # The number of consecutive escaped characters from which a passage is flagged.
ENCODED_PATH_CHARS: Final = 130
ENCODED_VALUE_CHARS: Final = 96
LONG_QUERY_CHARS: Final = 400
SPEAKS: Final = sentence("speaks to the assistant")
POSES: Final = sentence("poses as part of the conversation")
CALLS: Final = sentence("asks for a tool call")
HIDES: Final = sentence("asks to hide something from the user")
SENDS: Final = sentence("asks to send data away")
ENCODED: Final = sentence("long encoded text")
LONG_QUERY: Final = sentence("long query string")
ENCODED_QUERY: Final = sentence("encoded query string")
ENCODED_PATH: Final = sentence("encoded path")
MIXED_SHARE: Final = 0.28
"""The share of adjacent characters that differ in case or by being a digit: 0.45 in hexadecimal, 0.6 in Base64, below 0.2 in names."""
UNREADABLE_CHARS: Final = 8
SECTION_NAMES: Final = (
    "SOURCES", "EVIDENCE", "IMAGES", "EXPANSION TRACE", "CITATIONS", "STATS", "ERROR", "CORPUS STATUS", "INGESTED",
)  # fmt: skip
"""Section names in tool results, in brackets on their own line."""
_UNSEEN: Final = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\U000e0000-\U000e0fff]"
)
_COMBINING: Final = re.compile("[\u0300-\u036f\u20d0-\u20ff]")
_LOOKALIKES: Final = str.maketrans(
    "АВЕКМНОРСТХУІЈЅԀԌԚԜаеорсухіјѕԁһԛԝΑΒΕΖΗΙΚΜΝΟΡΤΥΧοινΕᴀᴄᴅᴇɪᴍɴᴏᴘʀꜱᴛᴜᴠᴡᴢｏᎪᏟᎬᎻᎷᎢᏒᏚꓮꓚꓓꓰꓲꓠꓳꓑꓣꓢꓔꓴ🅰🅲🅳🅴🅸🅽🅾🅿🆁🆂🆃🆄"
    "【〔〖〘〚⟦⟨❲⦋⁅「『﹝】〕〗〙〛⟧⟩❳⦌⁆」』﹞",
    "ABEKMHOPCTXYIJSDGQWaeopcyxijsdhqwABEZHIKMNOPTYXoivEACDEIMNOPRSTUVWZoACEHMTRSACDEINOPRSTUACDEINOPRSTU"
    "[[[[[[[[[[[[[]]]]]]]]]]]]]",
)
"""Letters and brackets of other scripts that look like the ones in these names. NFKC handles the others."""
_DIGITS_FOR_LETTERS: Final = str.maketrans("013457$", "OIEASTS")
_BETWEEN: Final = re.compile(r"[\W_]+")
_SECTIONS: Final = frozenset(_BETWEEN.sub("", name) for name in SECTION_NAMES)
_BEFORE: Final = r"(?m:^)(?:[^\w\[\n]|_|\d{1,4}[.)]){0,24}"
"""The characters that may precede a bracket: spaces, list, heading and quotation marks, emphasis, a number."""
_BRACKETED: Final = re.compile(rf"{_BEFORE}\[(?P<inside>[^\[\]\n]{{3,60}})\](?P<after>[(\[:]?)")
_RESULT_LINE: Final = re.compile(
    rf"{_BEFORE}(?:source[\s*_`~]{{0,4}}\[\s{{0,2}}\d{{1,4}}\s{{0,2}}\][\s*_`~]{{0,4}}[(:]"
    r"|\[\s{0,2}\d{1,4}\s{0,2}\]\s(?:[^\n]{0,300}\(hash\s[0-9a-f]{4,}\)|[^\n]{1,200}\s—\s{1,2}(?:https?|file|webrag)://\S{1,2000}$)"
    r"|\[\s{0,2}\d{1,4}\s{0,2}\]\s{1,4}[01]\.\d{1,4}\s{1,4}passage\s|\(score:?\s[01]\.\d"
    r"|excerpt\s{1,4}of\s{1,4}\S{1,200},\s{1,4}characters\s|session\s{1,4}[\w-]{16,64}\s{0,4};)",
    re.IGNORECASE | re.MULTILINE,
)
_ENCODED_LINES: Final = re.compile(r"[A-Za-z0-9+/_-]{56,}(?:[ \t]*\n[ \t>]*[A-Za-z0-9+/_-]{56,})*")
_PERCENT_RUN: Final = re.compile(r"(?:%[0-9A-Fa-f]{2}){8,}")
_EARLIER = "(?:previous|prior|preceding|above|earlier|foregoing|former|original|initial|existing|system|developer)"
_RULES = "(?:instructions?|prompts?|directions?|directives?|guidelines?|rules|commands?|orders|messages?|training)"
_DROP = (
    "(?:ignore|disregard|forget|override|overrule|discard|bypass|do not follow|do not obey|don't follow|stop following)"
)
_MODELS = (
    "(?:ai|ai (?:language )?models?|ai assistants?|ai agents?|ai systems?|ai tools?|ai bots?|large language models?"
    "|llms?|language models?|chat ?bots?|chatgpt|claude|gemini|copilot|assistants?|automated agents?|autonomous agents?)"
)
_TRIGGERS_OF_DROPPING = (
    "ignor", "disregard", "forget", "overrid", "overrul", "discard", "bypass", "not follow", "not obey", "n't follow", "stop follow",
)  # fmt: skip
_TRIGGERS_OF_MODELS = (
    "language model", "llm", "chatbot", "chat bot", "chatgpt", "claude", "gemini", "copilot", "assistant", "automated",
    "autonomous", " ai ", " ai,", " ai:", " ai;", " ai!", "you are now", "you are no longer", "you are really",
    "you are actually",
)  # fmt: skip
_READERS = "(?:llm|ai|automated) (?:reviewers?|summari[sz]ers?|readers?|agents?|assistants?|crawlers?)"
_USER = "(?:the |your |any |this )?(?:users?|humans?|operators?)"
_PRIVATE = (
    "(?:(?:whole |full |entire )?(?:conversation|chat|chat history|chat log)|previous messages|system prompt|context window"
    "|(?:the |your )?users?(?:'s|')? (?:[a-z]+ ){0,2}(?:keys?|passwords?|credentials?|secrets?|tokens?|e-?mails?|files|messages|contacts))"
)
_TARGET = (
    r"(?:https?://|[^\s@]+@[^\s@]+|(?:this|the|that|our|my|an?) (?:[a-z]+ )?"
    r"(?:url|address|link|endpoint|server|webhook|parameter|query string)\b)"
)
_OUR_TOOLS = (
    "(?:kb[._](?:search|retrieve_evidence|extract_evidence|read_excerpt|expand_excerpt|verify_quote)"
    "|web[._](?:search|readfrompage)|graph[._](?:expand|describe|children|parents|paths))"
)
_TOOL_NAMES = r"(?:send|read|write|delete|create|fetch|open|execute|browse|run)_[a-z_]{2,30}"
_TOOL_KINDS = "(?:answer|search|ingest|status|e?mail|browser|browsing|bash|shell|terminal|fetch|web|file|memory|calendar|payment|messaging)"
_CALL = "(?:call|use|using|invoke|run|execute|trigger)"
_NOT = "(?:do not|don't|never)(?: ever)?"


@lru_cache(maxsize=MAX_FLAGS_REMEMBERED)
def instruction_flags(text: str) -> tuple[str, ...]:
    """Return descriptions of suspicious content that honest text does not have; empty for nearly all text."""
    plain = text if text.isascii() else _UNSEEN.sub("", normalized("NFKC", text))
    words = " ".join(["", *plain.lower().replace("’", "'").split(), ""])
    found = [flag for flag, wordings in _PHRASES if _any_in(wordings, words)]
    # A line may look like one of a tool result (a section, a source, a passage), with any prefix.
    lines = "\n".join(plain.splitlines())
    if not lines.isascii():
        lines = _COMBINING.sub("", normalized("NFKD", lines)).translate(_LOOKALIKES)
    if _any_in(POSING, plain) or _RESULT_LINE.search(lines) or any(map(_is_section, _BRACKETED.finditer(lines))):
        found.append(POSES)
    runs = ("".join(run.group().split()) for run in _ENCODED_LINES.finditer(plain))
    is_encoded = _any_in(ESCAPED, plain) or any(_is_encoded(run, ENCODED_RUN_CHARS) for run in runs)
    if is_encoded or (not text.isascii() and _any_in(HIDDEN, text)):
        found.append(ENCODED)
    return tuple(found)


def _is_section(brackets: re.Match[str]) -> bool:
    """Whether brackets contain a section name. In a link, a reference or a log level, only capitals count."""
    name = _BETWEEN.sub("", brackets["inside"].translate(_DIGITS_FOR_LETTERS))
    return name.upper() in _SECTIONS and (not brackets["after"] or (name.isupper() and name != "ERROR"))


def address_flags(url: str) -> tuple[str, ...]:
    """Return descriptions of suspicious data in an address: too long or unreadable. Empty if it is not an address."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return ()
    query = unquote(parts.query)
    values = [part for pair in parse_qsl(parts.query, keep_blank_values=True) for part in pair]
    found = (
        (LONG_QUERY, len(query) > LONG_QUERY_CHARS),
        (ENCODED_QUERY, any(map(_is_unreadable, values))),
        (ENCODED_PATH, any(_is_encoded(part, ENCODED_PATH_CHARS) for part in unquote(parts.path).split("/"))),
    )
    return tuple(flag for flag, matched in found if matched)


def _any_in(wordings: Iterable[Wording], text: str) -> bool:
    return any(wording.is_in(text) for wording in wordings)


def _is_unreadable(value: str) -> bool:
    """Whether a query value, decoded once, is long and still unreadable."""
    binary = sum(not letter.isprintable() or letter == "\ufffd" for letter in value)
    return (
        binary > UNREADABLE_CHARS or _PERCENT_RUN.search(value) is not None or _is_encoded(value, ENCODED_VALUE_CHARS)
    )


def _is_encoded(run: str, more_than: int) -> bool:
    """Whether a run of letters and digits is longer than this and mixes them more than words and paths do."""
    if len(run) <= more_than or " " in run:
        return False
    kinds = [1 if letter.isdigit() else 2 if letter.islower() else 3 if letter.isupper() else 0 for letter in run]
    changes = sum(a != b and a * b > 0 for a, b in pairwise(kinds))
    return changes > MIXED_SHARE * len(run)


@dataclass(frozen=True, slots=True)
class Wording:
    """A pattern, tested only if the text contains one of the triggers, or always if it has none."""

    triggers: tuple[str, ...]
    pattern: re.Pattern[str]

    def is_in(self, text: str) -> bool:
        """Whether the text contains the wording."""
        tried = not self.triggers or any(trigger in text for trigger in self.triggers)
        return tried and self.pattern.search(text) is not None


def _any(triggers: tuple[str, ...], *patterns: str) -> Wording:
    return Wording(triggers, re.compile("|".join(patterns)))


SPEAKING: Final = (
    _any(
        _TRIGGERS_OF_DROPPING,
        rf"\b{_DROP} (?:(?:all|any|every|each|of|the|your|my|these|those|to) ){{0,4}}{_EARLIER} (?:[a-z]+ ){{0,2}}{_RULES}\b",
        rf"\b{_DROP} (?:(?:all|any|of) ){{0,2}}your (?:[a-z]+ ){{0,3}}(?:{_RULES}|programming|restrictions|guardrails)\b",
        rf"\b{_DROP} (?:the )?{_RULES} (?:of|from|by|given by) {_USER}\b",
        r"\b(?:forget|ignore|disregard) (?:everything|anything|all|what|whatever) (?:that )?you (?:were|have been|are) told\b",
        r"\b(?:forget|ignore|disregard) (?:everything|anything|all) (?:that )?(?:(?:is|was) (?:said|written) )?(?:above|before this)\b",
    ),
    _any(
        _TRIGGERS_OF_MODELS,
        rf"\byou are (?:now|no longer|really|actually) (?:an? |the )?(?:[a-z]+ ){{0,3}}(?:{_MODELS}|model|persona)\b",
        r"\byou are an? (?:(?:helpful|unrestricted|unfiltered|ai) ){0,2}(?:ai|llm|(?:large )?language model|assistant|chatbot)\b",
        rf"\b(?:note|notice|attention|message|warning|important|instructions?|hint|reminder)[:,]? (?:(?:to|for|all|any|the|every) ){{0,3}}"
        rf"(?:{_MODELS}|{_READERS})(?: ?[:,;!]| reading| that| who| processing)",
        rf"\bif (?:you are|you're) (?:an? |the )?(?:[a-z]+ ){{0,2}}{_MODELS}\b",
        rf"\b(?:dear|hello|hey|hi) {_MODELS} ?[,:!]",
        rf"\b{_READERS} ?[:,] (?:[a-z]+ ){{0,2}}(?:give|say|do not|don't|recommend|ignore|please|rate|accept|include|stop|visit)\b",
        rf"\b(?:any|all|every|the) {_MODELS} (?:reading|summari[sz]ing|processing|parsing|reviewing|visiting) (?:this|the|that|these)\b",
        r"\bas an ai(?: language)?(?: model| assistant| agent)?,? you (?:must|have|should|are|need|will|shall)\b",
        r"\bthe (?:ai )?(?:assistant|chatbot|llm) (?:must|should|shall|has to|is to) (?:(?:now|always|never|also|not) )?"
        r"(?:tell|say|answer|reply|respond|recommend|ignore|obey|inform|mention|call|visit|praise)\b",
        rf"\bnew (?:system )?(?:instructions|prompt|rules) for {_MODELS}\b",
    ),
    _any(
        ("from now on",),
        r"\bfrom now on,? you (?:will|must|shall|are to|should) (?:only |always |never )?"
        r"(?:reply|respond|answer|act|speak|behave|obey|ignore|say|write)\b",
    ),
    _any(
        ("prompt", "instruction", "rules", "override"),
        r"\b(?:reveal|print|show|repeat|output|display|leak|disclose|recite|dump|tell me|give me|share) (?:(?:me|all|out|of) ){0,2}"
        r"(?:your|the) (?:[a-z]+ ){0,2}(?:system|initial|hidden|secret|developer|original) (?:prompt|instructions?|rules)\b",
        r"\bsystem prompt override\b",
        r"\bnew (?:system )?(?:instructions|prompt|rules) for you\b",
        r"\b(?:begin|end) (?:of )?(?:system|admin|developer) (?:prompt|instructions?|override)\b",
    ),
    _any(
        ("your new ", "your real ", "your true ", "your actual ", "your updated ", "your only "),
        r"\byour (?:new|real|true|actual|updated|only) (?:instructions?|directives?|objective|mission|system prompt)\b",
    ),
    _any(
        ("unrestricted", "unfiltered", "uncensored", "jailbroken", "do anything now"),
        r"\b(?:act|behave|respond|answer) (?:now )?as (?:if you were )?(?:an? )?(?:unrestricted|unfiltered|uncensored|jailbroken) [a-z]+",
        r"\bdo anything now\b",
    ),
    _any(
        ("ignor", "olvid", "dimentica", "esqueça"),
        r"\bignorier(?:e|en sie|t)\b[^.]{0,30}\b(?:vorherigen?|bisherigen?|obigen?|früheren?|vorigen?|vorangegangenen?) "
        r"(?:anweisung|instruktion|befehl|regel|eingabe)",
        r"\bignore[zr]?\b[^.]{0,20}\b(?:instructions?|consignes?|directives?) (?:ci-dessus|précédentes?|antérieures?|initiales?)",
        r"\b(?:ignora|ignore|ignorad|olvida|olvide)\b[^.]{0,20}\b(?:instrucciones|indicaciones|órdenes) (?:anteriores|previas)",
        r"\b(?:ignora|ignorate|dimentica)\b[^.]{0,20}\b(?:istruzioni|indicazioni) (?:precedenti|sopra)",
        r"\b(?:ignore|ignora|esqueça)\b[^.]{0,20}\b(?:instruções|ordens) (?:anteriores|prévias|acima)",
    ),
    _any(
        ("игнорируй", "забудь", "忽略", "无视", "無視", "忘", "무시"),
        r"\b(?:игнорируй|игнорируйте|забудь|забудьте)\b[^.]{0,20}\b(?:предыдущи|прежни)\w{0,4} (?:инструкци|указани|команд)",
        r"(?:忽略|无视|無視|忘记|忘記)[^。]{0,10}(?:之前|以上|先前|上述|前面|所有)[^。]{0,8}(?:指令|指示|说明|說明|提示|命令)",
        r"(?:以前|前|上記|これまで)の(?:指示|命令|プロンプト)[^。]{0,8}(?:無視|忘れ)",
        r"(?:이전|위의) ?(?:지시|명령|지침)[^.]{0,10}무시",
    ),
)
CALLING: Final = (
    _any(
        ("mcp", "kb_", "kb.", "web_", "web.", "graph_", "graph."),
        rf"\b{_CALL} (?:the |your )?[`'\"]?(?:mcp__\w+|{_OUR_TOOLS})\b",
    ),
    _any(
        ("tool", "plugin", "connector", "mcp", "function"),
        rf"\b{_CALL} (?:the |your )?[`'\"]?{_TOOL_NAMES}[`'\"]? (?:tool|function with|function on|action)\b",
        rf"\b{_CALL} your (?:[\w.`'\"-]{{1,40}} ){{0,2}}(?:tools?|plugins?|connectors?|mcp servers?)\b",
        rf"\b{_CALL} the [`'\"]?{_TOOL_KINDS}[`'\"]? tool\b",
    ),
)
HIDING: Final = (
    _any(
        ("user", "human", "operator"),
        rf"\b{_NOT} (?:tell|inform|alert|warn) {_USER} (?:about|that you|of this|of it|anything|any of|what you|why you)\b",
        rf"\b{_NOT} (?:mention|reveal|disclose|report|say|admit|show) "
        rf"(?:this|that|it|any of this|anything|these [a-z]+|this [a-z]+|the (?:above|existence of [a-z]+ [a-z]+)) to {_USER}\b",
        rf"\b{_NOT} let {_USER} (?:know|see|notice|find out) (?:that you|about this|this|any of)\b",
        rf"\b(?:hide|conceal|keep) (?:this|that|it|these|all of this|the above|the following)(?: [a-z]+)?"
        rf"(?: hidden| secret)? from {_USER}\b",
        rf"\bwithout (?:telling|informing|alerting|asking) {_USER}(?: ?[.!;]| ?$| about this| first)",
    ),
)
SENDING: Final = (
    _any(
        ("conversation", "chat", "previous messages", "system prompt", "context window", "user's", "users'"),
        rf"\b(?:send|forward|post|upload|e-?mail|transmit|leak|exfiltrate|append|include|encode|attach|insert|put|copy|submit) "
        rf"(?:[a-z]+ ){{0,4}}{_PRIVATE}\b[^.]{{0,60}}\b(?:to|into|in|as|at) {_TARGET}",
    ),
)
_PHRASES: Final = ((SPEAKS, SPEAKING), (CALLS, CALLING), (HIDES, HIDING), (SENDS, SENDING))
POSING: Final = (
    _any(
        ("|>",),
        r"<\|\s?(?:im_start|im_end|im_sep|system|user|assistant|end|endoftext|eot_id|eom_id|start_header_id|end_header_id"
        r"|begin_of_text|start|message|channel)\s?\|>",
    ),
    _any(("INST]", "SYS>>", "_of_turn>"), r"\[/?INST\]|<</?SYS>>|<(?:start|end)_of_turn>"),
    _any(("##",), r"(?m:^[ \t>*]{0,8}#{2,6} (?:System|Instruction|Human|Assistant|User|Response) ?:[ \t]*$)"),
    _any(("SYSTEM",), r"(?m:^[ \t>*]{0,8}SYSTEM(?: (?:PROMPT|MESSAGE|OVERRIDE|NOTICE|INSTRUCTIONS?))? ?:[ \t]+\w)"),
    _any(("Human:",), r"(?m:^[ \t>*]{0,8}Human:[ \t]*\S[^\0]{0,1000}?\n[ \t>*]{0,8}Assistant:)"),
    _any(
        ("<system", "</system", "<tool_", "</tool_", "<function_", "</function_", "<user_", "</user_"),
        r"</?(?:system[-_](?:prompt|message|reminder|instructions?)|tool_(?:calls?|use|results?|response)"
        r"|function_(?:calls?|results?)|user_(?:query|message|input))>",
    ),
)
ESCAPED: Final = (
    _any(("%",), rf"(?:%[0-9A-Fa-f]{{2}}){{{ESCAPED_RUN_UNITS},}}"),
    _any((r"\x",), rf"(?:\\x[0-9A-Fa-f]{{2}}){{{ESCAPED_RUN_UNITS},}}"),
    _any((r"\u",), rf"(?:\\u[0-9A-Fa-f]{{4}}){{{ESCAPED_RUN_UNITS},}}"),
    _any(("&#",), rf"(?:&#x?[0-9A-Fa-f]{{1,6}};){{{ESCAPED_RUN_UNITS},}}"),
)
HIDDEN: Final = (_any((), "[\U000e0020-\U000e007f]{8,}", "[\U000e0100-\U000e01ef]{8,}"),)
"""Tag letters and variation selectors, which are invisible and can spell any text; flags of countries have at most six."""
