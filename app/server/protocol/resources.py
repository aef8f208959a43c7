"""Resources: pinned passages, the newest pages, and templates for cached passages, pages and images; each can be read and completed."""

from __future__ import annotations

import asyncio
import base64
import logging
import math
import re
from collections.abc import Sequence
from typing import Any, Final

import mcp.types as types
from mcp.shared.exceptions import MCPError

from app import caps
from app.errors import PassageExpiredError, WebRAGError
from app.library.scope import PAGE_TEMPLATE, PICTURE_TEMPLATE
from app.scratch.passage import OWN_ADDRESSES, PINNED, TEMPLATE
from app.scratch.resources import Artifact, ArtifactEntry, PagePicture
from app.scratch.store import EXPIRED
from app.server.calls.limits import RATE_LIMITED, RATE_MESSAGE, RateLimiter, rate_key
from app.server.calls.registry import Engine, Registry, ToolOffers
from app.server.protocol import skills, views
from app.server.protocol.messages import Context, caller_of
from app.server.protocol.prompts import PROMPTS, split_urls
from app.server.render.text import iso, present, title_of
from app.text.page_text import one_line, quoted
from app.text.shield import instruction_flags

log = logging.getLogger(__name__)

RESOURCES_PER_PAGE: Final = 100
MAX_RESOURCES_LISTED: Final = 1_000
RESOURCE_MARK_BYTES: Final = 512  # Space for the line that reports the cut.
MAX_COMPLETIONS: Final = 100
MAX_PICTURE_WORDS_CHARS: Final = 160

NOT_FOUND: Final = f"Resource not found. If it was a passage: {EXPIRED}"
"""The same for resources that never existed, have expired, or belong to another client."""

META_KEY: Final = "webrag/resource"  # Metadata of a resource that was read; the protocol has no fields for it.
PAGES_OF_EXTENSIONS: Final = {skills.SKILL: skills.read, views.VIEW: views.read}
"""Files of the program with addresses of their own, the same for every client."""

LARGE: Final = types.Annotations(audience=["assistant"], priority=0.1)
"""Resources that a client should not add to a conversation automatically."""

NOTHING: Final = types.CompleteResult(completion=types.Completion(values=[], total=0, has_more=False))
_CURSOR: Final = re.compile(r"from-([1-9][0-9]{0,4})")


class Resources:
    def __init__(self, engine: Engine, offers: ToolOffers, rate: RateLimiter) -> None:
        self._engine = engine
        self._offers = offers
        self._rate = rate

    async def templates(
        self, _ctx: Context, _params: types.PaginatedRequestParams | None
    ) -> types.ListResourceTemplatesResult:
        """Return the addresses of passages, pages and images."""
        return types.ListResourceTemplatesResult(resource_templates=[PASSAGES, PAGES, PICTURES])

    async def listing(self, _ctx: Context, params: types.PaginatedRequestParams | None) -> types.ListResourcesResult:
        """Return pinned passages, then pages, newest first, in parts up to a limit. Raises MCPError for an invalid cursor."""
        start = 0
        if params is not None and params.cursor is not None:
            match = _CURSOR.fullmatch(params.cursor)
            start = int(match[1]) if match is not None else MAX_RESOURCES_LISTED
            if start >= MAX_RESOURCES_LISTED:
                raise MCPError(types.INVALID_PARAMS, "Invalid cursor")
        part = min(RESOURCES_PER_PAGE, MAX_RESOURCES_LISTED - start)
        try:
            self._engine.check_not_paused()
            entries = await asyncio.to_thread(self._entries, start, part + 1)
        except WebRAGError as error:
            raise refused(error) from error
        shown = entries[:part]
        following = start + len(shown)
        is_more = len(entries) > len(shown) and following < MAX_RESOURCES_LISTED
        resources = [
            types.Resource(
                uri=entry.uri,
                name=entry.uri.partition("://")[2],
                title=title_of(entry.title),
                description=one_line(entry.source_uri, caps.MAX_URL_CHARS_SHOWN) or None,
                mime_type=entry.media_type,
                size=entry.size_bytes,
                annotations=LARGE.model_copy(update={"last_modified": iso(entry.modified_at)}),
            )
            for entry in shown
        ]
        return types.ListResourcesResult(resources=resources, next_cursor=f"from-{following}" if is_more else None)

    async def read(self, ctx: Context, params: types.ReadResourceRequestParams) -> types.ReadResourceResult:
        """Return the text of one resource, up to a limit. Counts as a call."""
        if (page := PAGES_OF_EXTENSIONS.get(params.uri)) is not None:
            return page()
        caller = caller_of(ctx)
        wait = 0.0 if caller.charged else self._rate.retry_after(rate_key(caller))
        if wait > 0:
            raise MCPError(RATE_LIMITED, RATE_MESSAGE, {"retryAfter": math.ceil(wait)})
        try:
            if not params.uri.startswith(OWN_ADDRESSES) or len(params.uri) > caps.MAX_URL_CHARS:
                raise PassageExpiredError(EXPIRED)
            self._engine.check_not_paused()
            if (picture := await asyncio.to_thread(self._engine.artifacts.picture, params.uri)) is not None:
                return _read_picture(picture)
            artifact = await asyncio.to_thread(self._engine.artifacts.find, caller.owner, params.uri)
        except PassageExpiredError as error:
            uri = params.uri[: caps.MAX_URL_CHARS]
            raise MCPError(types.INVALID_PARAMS, NOT_FOUND, {"uri": uri}) from error
        except WebRAGError as error:
            raise refused(error) from error
        text, way_on = readable(artifact, self._offers.of(caller))
        log.info("resource read: %d of %d bytes", len(text.encode()), artifact.size_bytes)
        meta = {META_KEY: await asyncio.to_thread(_about, artifact, text)}
        shown = types.TextResourceContents(uri=params.uri, mime_type=artifact.content.media_type, text=text, _meta=meta)
        pictures = pictures_line(await asyncio.to_thread(self._engine.artifacts.pictures_of, artifact))
        # Content blocks of their own, so the text of a page cannot imitate them.
        more = (
            types.TextResourceContents(uri=params.uri, mime_type="text/plain", text=said)
            for said in filter(None, (way_on, pictures))
        )
        return types.ReadResourceResult(contents=[shown, *more], ttl_ms=0, cache_scope="private")

    def _entries(self, start: int, count: int) -> list[ArtifactEntry]:
        artifacts = self._engine.artifacts
        pinned = artifacts.pinned()
        entries = pinned[start : start + count]
        if missing := count - len(entries):
            entries += artifacts.pages(missing, max(0, start - len(pinned)))
        return entries


class Completions:
    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    async def complete(self, ctx: Context, params: types.CompleteRequestParams) -> types.CompleteResult:
        """Return up to a hundred values that complete the input. Raises MCPError for an unknown reference."""
        try:
            return await asyncio.to_thread(self._completed, caller_of(ctx).owner, params)
        except WebRAGError as error:
            raise refused(error) from error

    def _completed(self, owner: str, params: types.CompleteRequestParams) -> types.CompleteResult:
        ref, argument = params.ref, params.argument
        if isinstance(ref, types.PromptReference):
            return self._of_prompt(ref.name, argument)
        if ref.uri == TEMPLATE:
            given = (params.context.arguments or {}) if params.context is not None else {}
            return self._of_passages(owner, argument, given.get("session_id"))
        if ref.uri in (PAGE_TEMPLATE, PICTURE_TEMPLATE):
            return NOTHING
        raise MCPError(types.INVALID_PARAMS, "Unknown resource template")

    def _of_prompt(self, name: str, argument: types.CompletionArgument) -> types.CompleteResult:
        prompt = next((prompt for prompt in PROMPTS if prompt.name == name), None)
        if prompt is None or argument.name not in {known.name for known in prompt.arguments}:
            raise MCPError(types.INVALID_PARAMS, "Unknown prompt or argument")
        if argument.name == "url":
            return self._addresses("", argument.value.strip())
        if argument.name == "urls":
            typed = split_urls(argument.value)
            last = typed.pop() if typed and argument.value[-1:] not in (" ", ",", "\n") else ""
            return self._addresses("".join(f"{url} " for url in typed), last)
        return NOTHING

    def _addresses(self, before: str, prefix: str) -> types.CompleteResult:
        self._engine.check_not_paused()
        known = self._engine.artifacts.known_addresses(prefix, MAX_COMPLETIONS + 1)
        return _offered([before + url for url in known if url not in before.split()])

    def _of_passages(
        self, owner: str, argument: types.CompletionArgument, session_id: str | None
    ) -> types.CompleteResult:
        self._engine.check_not_paused()
        scratch = self._engine.scratch
        if argument.name == "session_id":
            own = {passage.session_id for passage in scratch.listing(owner, 1)}
            pinned = {PINNED} if scratch.pinned() else set()
            values = sorted(own) + sorted(pinned)
        elif argument.name == "passage_id":
            passages = scratch.pinned() if session_id == PINNED else scratch.listing(owner)
            values = [passage.id for passage in passages if session_id in (None, passage.session_id)]
        else:
            raise MCPError(types.INVALID_PARAMS, "Unknown argument")
        return _offered([value for value in values if value.startswith(argument.value)])


PASSAGES: Final = types.ResourceTemplate(
    name="passage",
    title="Saved passage",
    uri_template=TEMPLATE,
    description=(
        "Full text of a passage that a tool result only previews; the result has its address. It expires 30 minutes after the last use, "
        "and only the same client can read it; pinned passages (session_id `pinned`) do not expire."
    ),
    mime_type="text/plain",
    annotations=LARGE,
)

PAGES: Final = types.ResourceTemplate(
    name="page",
    title="Indexed page",
    uri_template=PAGE_TEMPLATE,
    description="Text of an indexed page as Markdown; resources/list has the addresses of the newest ones.",
    mime_type="text/markdown",
    annotations=LARGE,
)

PICTURES: Final = types.ResourceTemplate(
    name="picture",
    title="Image of a page",
    uri_template=PICTURE_TEMPLATE,
    description="A stored image of an indexed page as PNG or JPEG; reading the page lists its images.",
    annotations=LARGE,
)


def pictures_line(pictures: Sequence[tuple[str, str]]) -> str:
    """Return the readable images of a page and their captions, or ""."""
    if not pictures:
        return ""
    lines = [
        f"- {uri}: {quoted(words, MAX_PICTURE_WORDS_CHARS)}" if one_line(words) else f"- {uri}"
        for uri, words in pictures
    ]
    return "\n".join(["[Images of this page that can be read:", *lines[: caps.MAX_PICTURES_KEPT_PER_PAGE], "]"])


def _read_picture(found: PagePicture) -> types.ReadResourceResult:
    """Return one image as bytes, at most MAX_KEPT_PICTURE_BYTES."""
    picture, content = found.picture, found.page.content
    about = {
        "title": title_of(content.title),
        "source": content.source_uri[: caps.MAX_URL_CHARS],
        "description": one_line(found.title, MAX_PICTURE_WORDS_CHARS),
        "width": picture.width,
        "height": picture.height,
        "size": len(picture.content),
    }
    blob = base64.b64encode(picture.content).decode("ascii")
    contents = types.BlobResourceContents(
        uri=found.uri, mime_type=picture.media_type, blob=blob, _meta={META_KEY: about}
    )
    log.info("picture read: %d bytes", len(picture.content))
    return types.ReadResourceResult(contents=[contents], ttl_ms=0, cache_scope="private")


def refused(error: WebRAGError) -> MCPError:
    """Return an error that is not the fault of the resource or prompt, such as a pause."""
    return MCPError(types.INTERNAL_ERROR, f"{error.message} {error.hint}".strip())


def readable(artifact: Artifact, registry: Registry) -> tuple[str, str]:
    """Return the text, cut at the limit, and a line that says how to continue, empty for a whole text."""
    whole = artifact.content.text.encode("utf-8", "replace")
    if len(whole) <= caps.MAX_RESOURCE_BYTES:
        return whole.decode(), ""
    shown = whole[: caps.MAX_RESOURCE_BYTES - RESOURCE_MARK_BYTES].decode("utf-8", "ignore")
    way_on = ""
    if (excerpt := registry.resolve("kb.read_excerpt")) is not None:
        tool = registry.wire_name(excerpt)
        way_on = f" To continue: {tool} with passage_id {artifact.uri} and start_char {len(shown)}."
    elif (search := registry.resolve("search")) is not None:
        way_on = f" Use {registry.wire_name(search)} to find what you need in the rest."
    return shown, f"[Cut here: {len(shown.encode()):,} of {len(whole):,} bytes.{way_on}]"


def _about(artifact: Artifact, text: str) -> dict[str, Any]:
    return {
        "title": title_of(artifact.content.title),
        "source": artifact.content.source_uri[: caps.MAX_URL_CHARS],
        "size": artifact.size_bytes,
        "isCut": artifact.size_bytes > caps.MAX_RESOURCE_BYTES,
        **present(flags=list(instruction_flags(text))),
        "annotations": {"audience": ["assistant"], "priority": 0.1, "lastModified": iso(artifact.modified_at)},
    }


def _offered(values: list[str]) -> types.CompleteResult:
    shown = values[:MAX_COMPLETIONS]
    has_more = len(values) > len(shown)
    return types.CompleteResult(
        completion=types.Completion(values=shown, total=None if has_more else len(shown), has_more=has_more)
    )
