"""Scripts that run inside a page: they detect when it has settled, and flatten its shadow trees.

Separate from the browser, so that tests do not need one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

QUIET_MS: Final = 500
EXPECTING_MS: Final = 1_500  # Milliseconds without activity after which a page with pending timers counts as settled.

_WATCH: Final = """
(() => {
  const now = () => performance.now();
  let requests = 0, timers = 0, changed = now();
  const begin = () => { requests += 1; changed = now(); };
  const end = () => { requests -= 1; changed = now(); };
  const fetchPage = window.fetch;
  window.fetch = function (...given) {
    begin();
    const answer = fetchPage.apply(this, given);
    answer.then(end, end);
    return answer;
  };
  const send = XMLHttpRequest.prototype.send;
  XMLHttpRequest.prototype.send = function (...given) {
    begin();
    this.addEventListener('loadend', end, { once: true });
    return send.apply(this, given);
  };
  const later = window.setTimeout;
  window.setTimeout = function (action, delay, ...given) {
    if (typeof action !== 'function' || (delay || 0) > SOON) return later(action, delay, ...given);
    timers += 1;
    let waits = true;
    const done = () => { if (waits) { waits = false; timers -= 1; } };
    later(done, (delay || 0) + 1);
    return later(function (...passed) { done(); return action.apply(this, passed); }, delay, ...given);
  };
  const loads = (node) => (node.tagName === 'SCRIPT' && node.src) || (node.tagName === 'LINK' && node.rel === 'stylesheet');
  new MutationObserver((records) => {
    changed = now();
    for (const record of records) for (const node of record.addedNodes) if (loads(node)) {
      begin();
      node.addEventListener('load', end, { once: true });
      node.addEventListener('error', end, { once: true });
    }
  }).observe(document, { subtree: true, childList: true, characterData: true });
  new PerformanceObserver(() => { changed = now(); }).observe({ type: 'resource' });
  const state = () => [document.readyState === 'complete' ? 1 : 0, requests, timers, Math.round(now() - changed)].join(' ');
  Object.defineProperty(window, 'NAME', { value: state });
})();
"""

# Replaces the children of hosts with their shadow trees, and yields the page length in characters.
FLATTEN: Final = """
(() => {
  const open = (root) => {
    for (const host of root.querySelectorAll('*')) {
      const shadow = host.shadowRoot;
      if (!shadow) continue;
      for (const slot of shadow.querySelectorAll('slot')) slot.replaceWith(...slot.assignedNodes({ flatten: true }));
      open(shadow);
      host.replaceChildren(...shadow.childNodes);
    }
  };
  open(document);
  return document.documentElement ? document.documentElement.outerHTML.length : 0;
})()
"""


@dataclass(frozen=True, slots=True)
class PageState:
    """Whether the document is loaded, its pending work, and the time since the last activity."""

    is_loaded: bool
    requests: int
    timers: int
    quiet_ms: float

    @property
    def is_at_rest(self) -> bool:
        return (
            self.is_loaded and self.requests <= 0 and self.quiet_ms >= (EXPECTING_MS if self.timers > 0 else QUIET_MS)
        )


def watch_script(name: str) -> str:
    """Return the script that runs before all scripts of the page. `name` is the secret variable for its state."""
    return _WATCH.replace("NAME", name).replace("SOON", str(2 * EXPECTING_MS))


def state_script(name: str) -> str:
    """Return the script that reads the state, which the page can have broken."""
    return f"String(window['{name}']())"


def read_state(answer: object) -> PageState | None:
    """Parse the state from a response of the page. Return None if it is invalid."""
    parts = answer.split(" ") if isinstance(answer, str) else []
    try:
        loaded, requests, timers, quiet = (int(part) for part in parts)
    except ValueError:
        return None
    return PageState(loaded == 1, requests, timers, quiet)
