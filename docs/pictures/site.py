"""Three small sample sites, served on loopback: the pictures show real pages without network access."""

from __future__ import annotations

import html
import re
import socket
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

DOCS, BLOG, HANDBOOK = "docs.tidewater.example", "fieldnotes.example", "handbook.lumen.example"

# Address -> (title, body similar to Markdown): "## " starts a heading, "- " a list item, "    " code.
PAGES: dict[tuple[str, str], tuple[str, str]] = {
    (DOCS, "/"): (
        "Tidewater documentation",
        """Tidewater is a job queue for small teams. Workers pull jobs from a single PostgreSQL table, so there is no
broker to run. Start with [retries](/guide/retries), then read about [schedules](/guide/schedules) and [workers](/guide/workers).

## What Tidewater promises
A job is delivered at least once. A job that a worker has taken is invisible to all others until its lease ends.
- Jobs are rows: they are part of your transaction and of your backup.
- Every state change is recorded with its time and its reason.
- A worker that dies loses its lease after thirty seconds, and another one takes the job over.

## Install
    pip install tidewater
    tidewater init postgresql://localhost/app
""",
    ),
    (DOCS, "/guide/retries"): (
        "Retries and back-off",
        """A job that raises an error is tried again. The default policy tries five times with exponential back-off and jitter.
See [dead letters](/guide/dead-letters) for what happens after the last attempt.

## The default policy
The first retry waits two seconds and every further one twice as long, up to ten minutes. Jitter adds up to a quarter of the wait,
so that a thousand jobs that failed together do not come back together.
    retry = Retry(attempts=5, first=2.0, factor=2.0, longest=600.0, jitter=0.25)

## Retry only what can succeed
Raise `Discard` for an error that will not go away, such as a customer who no longer exists. The job ends immediately and is kept
with the reason you gave. Network errors are retried by default. Type errors are not.

## Time limits
Every attempt may run for five minutes. A longer attempt is canceled, counts as failed, and is retried like any other failure.
Set `limit` on the job to change this. The lease is renewed every ten seconds while the attempt runs.
""",
    ),
    (DOCS, "/guide/schedules"): (
        "Schedules",
        """A schedule creates jobs at fixed times. You define it once, and it survives restarts of all workers.

## Cron expressions
Expressions have five fields and use the time zone of the schedule, not of the server.
    schedule("nightly-report", "30 2 * * *", zone="Europe/Lisbon")

## Missed runs
When no worker ran at the planned time, the missed run is created as soon as one starts, but only the latest one. Set
`catch_up=True` to create every missed run. See [workers](/guide/workers) for how many jobs run in parallel.
""",
    ),
    (DOCS, "/guide/workers"): (
        "Workers and concurrency",
        """A worker is a process that takes jobs from one or more queues. It runs as many jobs in parallel as it has slots.

## Slots
The number of slots is the number of cores unless you say otherwise. Jobs that wait for the network can share a core: give such a
worker more slots than cores. The [configuration](/reference/configuration) has more settings.
    tidewater work --queues mail,reports --slots 16

## Shutting down
On SIGTERM, a worker stops taking jobs and waits for the running ones, for at most `--grace` seconds. Jobs that have not ended by
then are released, and another worker takes them immediately. They do not count as [retries](/guide/retries).
""",
    ),
    (DOCS, "/guide/dead-letters"): (
        "Dead letters",
        """A job that failed for the last time moves to the table of dead letters with its arguments, its errors and its history.
Before that it was [tried again](/guide/retries) several times.

## Look and try again
    tidewater dead list --queue mail
    tidewater dead retry 81236
A retried dead letter starts with a fresh count of attempts. Dead letters are removed after thirty days; change this with
`keep_dead` in the configuration.
""",
    ),
    (DOCS, "/reference/configuration"): (
        "Configuration reference",
        """See [workers](/guide/workers) for what they change.
All settings can be given in `tidewater.toml` or as environment variables that begin with TIDEWATER.

## Settings of the queue
- `lease_seconds`: how long a job is invisible to others, 30 by default
- `poll_interval`: how often an idle worker looks for jobs, 0.5 seconds by default; with notifications, it reacts immediately
- `keep_done`: how long finished jobs are kept, 7 days by default
- `keep_dead`: how long dead letters are kept, 30 days by default
""",
    ),
    (BLOG, "/choosing-a-queue"): (
        "Choosing a job queue for a team of three",
        """We compared four ways to run background work and took the one that our database could already do.

## What we measured
With two million rows and sixteen workers the queue table answered in four milliseconds at the median. The broker was faster, but it
was one more system to back up, to upgrade and to wake up for. Details are in the [Tidewater guide](http://docs.tidewater.example/guide/workers).
![Median time to take a job, by the number of workers](/queue-times.png)

## What we would do again
Put the job into the same transaction as the change that asks for it. Half of our old incidents were jobs for rows that never came to be.
""",
    ),
    (HANDBOOK, "/on-call"): (
        "On-call handbook",
        """One person is on call for a week, from Monday at ten. The hand-over is a conversation, not a message.

## When the pager rings
Acknowledge within five minutes. Write down what you see before you change anything. If you need more than thirty minutes, ask for help.

## Queues
A growing queue is rarely the fault of the queue or of [its workers](http://docs.tidewater.example/guide/workers).
Look at the slowest job first, then at the database, then at the workers.
""",
    ),
}


CHANGED = {
    (HANDBOOK, "/on-call"): (
        ("within five minutes. Write down", "within ten minutes. Write down"),
        (
            "If you need more than thirty minutes, ask for help.",
            "If you need more than thirty minutes, ask for help.\n\n## After the week\nHand over what is still open.",
        ),
        (
            "Look at the slowest job first, then at the database, then at the workers.",
            "Look at the database first, then at the slowest job.",
        ),
    )
}
"""Changes of a page after assistants received passages of it."""


class SmallWeb:
    """Serves PAGES under their host names, which only this process resolves to loopback."""

    def __init__(self) -> None:
        try:
            self._server = ThreadingHTTPServer(("127.0.0.1", 80), _Handler)
        except OSError:
            self._server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
        self._resolve = socket.getaddrinfo

    def __enter__(self) -> SmallWeb:
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        resolve = self._resolve

        def resolved(host: Any, *arguments: Any, **named: Any) -> Any:
            return resolve("127.0.0.1" if str(host).endswith(".example") else host, *arguments, **named)

        socket.getaddrinfo = resolved
        return self

    def __exit__(self, *_error: object) -> None:
        socket.getaddrinfo = self._resolve
        self._server.shutdown()
        self._server.server_close()

    def change(self) -> None:
        """Start to serve the changed texts."""
        for place, replaced in CHANGED.items():
            title, text = PAGES[place]
            for before, after in replaced:
                text = text.replace(before, after)
            PAGES[place] = (title, text)

    def url(self, host: str, path: str) -> str:
        """Return the address of a page."""
        port = self._server.server_address[1]
        return f"http://{host}{path}" if port == 80 else f"http://{host}:{port}{path}"


class _Handler(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        host = self.headers.get("Host", "").partition(":")[0]
        page = PAGES.get((host, self.path))
        body = _page(*page).encode() if page else b"not found"
        self.send_response(200 if page else 404)
        self.send_header("Content-Type", "text/html; charset=utf-8" if page else "text/plain")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_arguments: object) -> None:
        return


def _page(title: str, text: str) -> str:
    body = "\n".join(_block(block) for block in re.split(r"\n(?=## )|\n\n", text.strip()))
    head = f"<!doctype html><html lang=en><head><title>{html.escape(title)}</title></head>"
    return f"{head}<body><main><article><h1>{html.escape(title)}</h1>{body}</article></main></body></html>"


def _block(text: str) -> str:
    """Return the HTML of one part of a page."""
    made: list[str] = []
    for line in text.splitlines():
        kind, content = _line(line)
        if made and kind != "h2" and made[-1].startswith(f"<{kind}>"):
            made[-1] = made[-1].removesuffix(f"</{kind}>") + ("\n" if kind == "pre" else " ") + content + f"</{kind}>"
        else:
            made.append(f"<{kind}>{content}</{kind}>")
    return "".join(made)


def _line(line: str) -> tuple[str, str]:
    if line.startswith("## "):
        return "h2", html.escape(line[3:])
    if line.startswith("    "):
        return "pre", html.escape(line.strip())
    if line.startswith("- "):
        return "ul", f"<li>{_inline(line[2:])}</li>"
    if line.startswith("!"):
        return "div", _inline(line)
    return "p", _inline(line)


def _inline(text: str) -> str:
    escaped = html.escape(text)
    shown = r'<figure><img src="\2" alt="\1" width="640" height="300"><figcaption>\1</figcaption></figure>'
    escaped = re.sub(r"!\[([^\]]+)\]\(([^)]+)\)", shown, escaped)
    escaped = re.sub(r"\[([^\]]+)\]\(([^)]+)\)", r'<a href="\2">\1</a>', escaped)
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", escaped)
