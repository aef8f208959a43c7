"""Scripts that run inside a page: they detect when it has settled, and flatten its shadow trees.

Separate from the browser, so that tests do not need one.
"""

from __future__ import annotations

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


def watch_script(name: str) -> str:
    """Return the script that runs before all scripts of the page. `name` is the secret variable for its state."""
    return _WATCH.replace("NAME", name).replace("SOON", str(2 * EXPECTING_MS))


def state_script(name: str) -> str:
    """Return the script that reads the state, which the page can have broken."""
    return f"String(window['{name}']())"


def is_at_rest(answer: object) -> bool:
    """Whether the page is loaded and quiet, according to its state. A response that the page has broken means no."""
    parts = answer.split(" ") if isinstance(answer, str) else []
    try:
        loaded, requests, timers, quiet_ms = map(int, parts)
    except ValueError:
        return False
    return loaded == 1 and requests <= 0 and quiet_ms >= (EXPECTING_MS if timers > 0 else QUIET_MS)
