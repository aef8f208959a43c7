"""Pages of the integration tests: a small handbook whose answers are one link apart."""

from __future__ import annotations

from tests.support.site import Site

SEED_ANSWER = "The night crew inspects every valve on Tuesdays, before the pressure is raised."
LINKED_ANSWER = "A cracked seal is replaced within four hours and the old one is kept for thirty days."

FILLER = " ".join(f"Line {n} of the manual lists parts, their numbers and where they are stored." for n in range(12))


def html(title: str, *blocks: str) -> str:
    body = "".join(block if block.startswith("<") else f"<p>{block}</p>" for block in blocks)
    head = f"<head><title>{title}</title></head>"
    return (
        f"<html lang='en'>{head}<body><nav><a href='/'>Start</a></nav><main><h1>{title}</h1>{body}</main></body></html>"
    )


SKELETON = "<body><noscript>Enable JavaScript</noscript><div id='root'></div><script src='/a.js'></script></body>"
SIGN_IN = "<title>Sign in</title><form method=post><h1>Sign in to continue</h1><input type=password name=p></form>"


def handbook(site: Site) -> str:
    """Fill the site and return the address that a user would give."""
    sections = [f"<h2>Part {n}</h2><p>{FILLER}</p>" for n in range(14)]
    links = "<p>Broken parts: see <a href='/seals.html'>replacing cracked seals</a> or <a href='/paint.html'>paint colours</a>.</p>"
    site.page("/valves.html", html("Valves", "<h2>Inspection</h2>", SEED_ANSWER, links, *sections), etag=True)
    site.page("/seals.html", html("Seals", "<h2>Replacement</h2>", LINKED_ANSWER, *sections), etag=True)
    site.page("/paint.html", html("Paint", "Blue for water, red for steam."), etag=True)
    return site.url("/valves.html")
