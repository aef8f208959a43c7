"""A stand-in for the page renderer's process: the path of the address selects its behavior."""

from __future__ import annotations

import json
import os
import sys
import time
from urllib.parse import urlsplit

setup = json.loads(sys.stdin.readline())
for line in sys.stdin:
    request = json.loads(line)
    path = urlsplit(request["url"]).path
    url, page = request["url"], b"<p>page</p>"
    answer: dict[str, object] = {"id": request["id"], "ok": True}
    match path:
        case "/environment":
            page = json.dumps({**os.environ, **setup, "pid": os.getpid(), "argv": sys.argv}).encode()
        case "/hang":
            time.sleep(60)
        case "/ends":
            os.write(2, b"something broke")
            os._exit(3)
        case "/sandbox":
            os.write(2, b"FATAL: No usable sandbox! Update your kernel")
            os._exit(1)
        case "/fails":
            answer |= {"ok": False, "error": "the page did not load"}
        case "/elsewhere":
            url = "http://other.example/"
        case "/about":
            url = "about:blank"
        case "/garbage":
            answer = {"id": "?"}
        case "/stale":
            answer["id"] = request["id"] - 1
        case "/huge":
            answer["bytes"] = 1 << 40
        case "/negative":
            answer["bytes"] = -1
        case "/long":
            answer["error"] = "x" * 100_000
        case "/short":
            answer["bytes"] = 1_000
        case "/large":
            page = b"x" * (3 << 20)
        case "/nested":
            sys.stdout.buffer.write(b"[" * 16_000 + b"\n")
    answer = {"url": url, "bytes": len(page), **answer}
    sys.stdout.buffer.write(json.dumps(answer).encode() + b"\n" + (page if answer.get("ok") else b""))
    sys.stdout.buffer.flush()
    if path == "/short":
        os._exit(0)
