// The visible page as HTML, with shadow roots and frames of the same origin in place, without scripts and form values.
//
// The browser injects the source of `capture` into the tab, so it must not use anything outside itself.

/** Maximum page size in bytes of UTF-8. WebRAG does not accept larger pages. */
export const MAX_PAGE_BYTES = 10 * 1024 * 1024;

/** Return the page or its selection: {html, hasSelection, tooLarge}. */
export function capture(maxBytes, onlySelection) {
  const LEFT_OUT = new Set(("script noscript template object embed applet canvas audio video svg textarea select datalist option optgroup " +
    "output progress meter base link").split(" "));
  const VOID = new Set("area br col hr img input meta wbr".split(" "));
  const KEPT = new Set(("id class alt title lang dir role datetime colspan rowspan headers scope hidden open cite start reversed rel name content " +
    "property itemprop charset type media style encoding display").split(" "));
  const SECRET = /csrf|xsrf|token|nonce|secret|session/i;
  const IN_A_WHOLE = new Set("tr td th tbody thead tfoot caption li dt dd".split(" "));
  const parts = [];
  let left = maxBytes;
  /** The selected range, while only the selection is captured. */
  let range = null;

  function put(text) {
    left -= text.length;
    if (left >= 0) parts.push(text);
  }

  function escaped(text) {
    return text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
  }

  function quoted(text) {
    return escaped(text).replace(/"/g, "&quot;");
  }

  /** Return "shown", "silent" if only descendants can be visible, or "" if the element is invisible. */
  function sightOf(element) {
    if (!element.checkVisibility) return "shown";
    if (element.checkVisibility({ visibilityProperty: true, opacityProperty: true })) return "shown";
    const style = element.ownerDocument.defaultView?.getComputedStyle(element);
    if (style?.display === "contents") return style.visibility === "visible" ? "shown" : "silent";
    if (element.checkVisibility({ opacityProperty: true })) return "silent";
    // Tab panels and collapsed sections are one click away.
    return element.closest("[role=tabpanel], details, [hidden=until-found]") !== null ? "shown" : "";
  }

  function attributes(element, name) {
    let text = "";
    for (const { name: key, value } of element.attributes) {
      const isKept = KEPT.has(key) || key.startsWith("aria-") || key === "data-lang" || key === "data-language";
      if (!isKept || value.length > 4096) continue;
      text += ` ${key}="${quoted(value)}"`;
    }
    const address = (name === "a" || name === "area") ? element.href : name === "img" ? element.currentSrc || element.src : "";
    if (typeof address === "string" && /^https?:/.test(address) && address.length <= 4096) {
      text += ` ${name === "img" ? "src" : "href"}="${quoted(address)}"`;
    }
    if (name === "li" && element.hasAttribute("value")) text += ` value="${quoted(element.getAttribute("value"))}"`;
    return text;
  }

  function shadowOf(element) {
    try {
      if (globalThis.chrome?.dom?.openOrClosedShadowRoot && element instanceof HTMLElement) {
        return chrome.dom.openOrClosedShadowRoot(element);
      }
      return element.openOrClosedShadowRoot ?? element.shadowRoot;
    } catch {
      return element.shadowRoot;
    }
  }

  function frameOf(element) {
    try {
      return element.contentDocument;
    } catch {
      return null;
    }
  }

  /** Whether to capture a node. Shadow roots and frames follow their hosts. */
  function isWanted(node) {
    return !range || range.startContainer.getRootNode() !== node.getRootNode() || range.intersectsNode(node);
  }

  function wantedOf(text) {
    if (!range) return text.data;
    const end = text === range.endContainer ? range.endOffset : text.length;
    return text.data.slice(text === range.startContainer ? range.startOffset : 0, end);
  }

  function children(nodes, isSilent) {
    for (const node of nodes) {
      if (left < 0) return;
      if (isWanted(node)) visit(node, isSilent);
    }
  }

  function visit(node, isSilent) {
    if (node.nodeType === Node.TEXT_NODE) {
      if (!isSilent) put(escaped(wantedOf(node)));
      return;
    }
    const name = node.localName;
    if (node.nodeType !== Node.ELEMENT_NODE || LEFT_OUT.has(name) || !/^[a-z][a-z0-9-]*$/.test(name)) return;
    if (name === "style") {
      put(`<style>${node.textContent.replace(/<\//g, "")}</style>`);
      return;
    }
    const isHead = node.ownerDocument.head?.contains(node);
    const sight = isHead ? "shown" : sightOf(node);
    if (!sight) return;
    if (name === "input") {
      // Keep password fields, which mark sign-in pages, and drop other form fields.
      if (node.type === "password") put("<input type=\"password\">");
      return;
    }
    if (name === "meta" && SECRET.test(node.name || node.getAttribute("property") || "")) return;
    if (name === "iframe" || name === "frame") {
      const inner = frameOf(node);
      if (inner?.body) {
        put("<div>");
        children(inner.body.childNodes, false);
        put("</div>");
      }
      return;
    }
    if (name === "slot" && node.getRootNode() instanceof ShadowRoot) {
      const given = node.assignedNodes({ flatten: true });
      children(given.length ? given : node.childNodes, sight === "silent");
      return;
    }
    put(`<${name}${attributes(node, name)}>`);
    if (VOID.has(name)) return;
    children((shadowOf(node) ?? node).childNodes, sight === "silent");
    put(`</${name}>`);
  }

  /** Add the markup of a selected range, with the parents that it needs to be valid, such as a table. */
  function putSelected(each) {
    let holder = each.commonAncestorContainer;
    if (holder.nodeType !== Node.ELEMENT_NODE) holder = holder.parentElement;
    while (holder && IN_A_WHOLE.has(holder.localName)) holder = holder.parentElement;
    range = each;
    if (!holder || holder.contains(document.body)) children(document.body?.childNodes ?? [], false);
    else visit(holder, false);
    range = null;
    put("<br>");
  }

  const selection = getSelection();
  const hasSelection = selection !== null && !selection.isCollapsed;
  put(`<!DOCTYPE html><html lang="${quoted(document.documentElement.lang)}"><head><meta charset="utf-8">`);
  if (onlySelection) {
    put(`<title>${escaped(document.title)}</title></head><body><main>`);
    for (let index = 0; hasSelection && index < selection.rangeCount; index += 1) putSelected(selection.getRangeAt(index));
    put("</main></body></html>");
  } else {
    children(document.head?.childNodes ?? [], false);
    put("</head>");
    if (document.body) {
      put(`<body${attributes(document.body, "body")}>`);
      children(document.body.childNodes, false);
      put("</body>");
    }
    put("</html>");
  }
  return {
    html: left < 0 ? "" : parts.join(""),
    hasSelection,
    tooLarge: left < 0,
  };
}
