// What a page shows, as HTML: shadow roots and frames of the same origin in their places, without scripts and values of forms.
//
// `capture` runs inside the page's tab and is handed over as its source, so it may use nothing from outside itself.

/** Largest page in bytes of UTF-8 that is sent; WebRAG takes no larger one. */
export const MAX_PAGE_BYTES = 10 * 1024 * 1024;

/** The page or its selection: {html, hasSelection, tooLarge}. */
export function capture(maxBytes, onlySelection) {
  const LEFT_OUT = new Set(("script noscript template object embed applet canvas audio video svg textarea select datalist option optgroup " +
    "output progress meter base link").split(" "));
  const VOID = new Set("area br col hr img input meta wbr".split(" "));
  const KEPT = new Set(("id class alt title lang dir role datetime colspan rowspan headers scope hidden open cite start reversed rel name content " +
    "property itemprop charset type media style encoding display").split(" "));
  const SECRET = /csrf|xsrf|token|nonce|secret|session/i;
  const parts = [];
  let room = maxBytes;

  function put(text) {
    room -= text.length;
    if (room >= 0) parts.push(text);
  }

  function escaped(text) {
    return text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
  }

  function quoted(text) {
    return escaped(text).replace(/"/g, "&quot;");
  }

  /** "shown"; "silent" where only what is inside may be seen; "" for what a reader sees in no way. */
  function sightOf(element) {
    if (!element.checkVisibility) return "shown";
    if (element.checkVisibility({ visibilityProperty: true, opacityProperty: true })) return "shown";
    const style = element.ownerDocument.defaultView?.getComputedStyle(element);
    if (style?.display === "contents") return style.visibility === "visible" ? "shown" : "silent";
    if (element.checkVisibility({ opacityProperty: true })) return "silent";
    // The page of a tab or the inside of a fold: one click away.
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

  function children(nodes, isSilent) {
    for (const node of nodes) {
      if (room < 0) return;
      visit(node, isSilent);
    }
  }

  function visit(node, isSilent) {
    if (node.nodeType === Node.TEXT_NODE) {
      if (!isSilent) put(escaped(node.data));
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
      // That a page asks for a password is told, nothing else of its forms.
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

  function selected() {
    const selection = getSelection();
    if (!selection || selection.isCollapsed) return null;
    const holder = document.createElement("main");
    for (let index = 0; index < selection.rangeCount; index += 1) {
      holder.append(selection.getRangeAt(index).cloneContents(), document.createElement("br"));
    }
    return holder;
  }

  /** The markup of cloned nodes; as they are in no document, nothing can be said of how they look. */
  function markupOf(holder) {
    const unwanted = `${[...LEFT_OUT].join(", ")}, input, iframe, frame, style, meta`;
    for (const each of holder.querySelectorAll(unwanted)) each.remove();
    for (const each of holder.querySelectorAll("*")) {
      const address = each.localName === "a" && /^https?:/.test(each.href) ? each.href : "";
      for (const { name } of [...each.attributes]) {
        if (!KEPT.has(name) && !name.startsWith("aria-")) each.removeAttribute(name);
      }
      if (address) each.setAttribute("href", address);
    }
    return holder.outerHTML;
  }

  const selection = selected();
  put(`<!DOCTYPE html><html lang="${quoted(document.documentElement.lang)}"><head><meta charset="utf-8">`);
  if (onlySelection) {
    put(`<title>${escaped(document.title)}</title></head><body>${selection ? markupOf(selection) : ""}</body></html>`);
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
    html: room < 0 ? "" : parts.join(""),
    hasSelection: selection !== null,
    tooLarge: room < 0,
  };
}
