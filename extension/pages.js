// Read, save and ask about the pages of tabs, and show the state of each in the toolbar.

import { MAX_PAGE_BYTES, capture } from "./capture.js";
import { WebRAGError, ask, hex } from "./webrag.js";

const BADGES = {
  kept: { text: "\u2713", color: "#1a7f37", title: "stateKept" },
  changed: { text: "\u2260", color: "#9a6700", title: "stateChanged" },
  new: { text: "", color: "#6e7781", title: "stateNew" },
  failed: { text: "!", color: "#cf222e", title: "stateFailed" },
};

/** Return the visible page of the tab, with its digest. */
export async function look(tab, onlySelection = false) {
  // Get the address from the browser, because a script in the page could fake it.
  const url = await addressOf(tab);
  if (!/^https?:/.test(url)) throw new WebRAGError("notAPage");
  let results;
  try {
    results = await chrome.scripting.executeScript({
      target: { tabId: tab.id },
      func: capture,
      args: [MAX_PAGE_BYTES, onlySelection],
    });
  } catch {
    throw new WebRAGError("notAllowed");
  }
  const page = results?.[0]?.result;
  if (!page) throw new WebRAGError("notAllowed");
  if ((await addressOf(tab)) !== url) throw new WebRAGError("moved");
  if (page.tooLarge || new Blob([page.html]).size > MAX_PAGE_BYTES) throw new WebRAGError("tooLarge");
  if (onlySelection && !page.hasSelection) throw new WebRAGError("noSelection");
  return { ...page, url, digest: await digestOf(page.html) };
}

async function addressOf(tab) {
  return (await chrome.tabs.get(tab.id)).url ?? "";
}

/** Return whether the page is new, saved, or saved and changed since. */
export async function stateOf(tab) {
  return shown(tab, async () => {
    const page = await look(tab);
    const found = await ask("state", { url: page.url, digest: page.digest });
    return { ...found, hasSelection: page.hasSelection };
  });
}

export async function keep(tab, onlySelection = false) {
  return shown(tab, async () => {
    const page = await look(tab, onlySelection);
    return ask("keep", { url: page.url, digest: page.digest, selection: onlySelection }, page.html);
  });
}

/** Return the passages of the current page that are closest to the question. */
export async function question(tab, words) {
  return shown(tab, async () => {
    const page = await look(tab);
    const known = { url: page.url, digest: page.digest };
    if ((await ask("state", known)).state !== "kept") await ask("keep", known, page.html);
    return { ...(await ask("ask", { url: page.url, question: words })), state: "kept" };
  });
}

/** Run the task and show its result in the toolbar. */
async function shown(tab, work) {
  try {
    const found = await work();
    await mark(tab, found.state);
    return found;
  } catch (error) {
    await mark(tab, "failed", error);
    throw error;
  }
}

async function mark(tab, state, error = null) {
  const { text, color, title } = BADGES[state] ?? BADGES.new;
  const words = error ? wordsOf(error) : chrome.i18n.getMessage(title);
  try {
    await chrome.action.setBadgeBackgroundColor({ tabId: tab.id, color });
    await chrome.action.setBadgeText({ tabId: tab.id, text });
    await chrome.action.setTitle({ tabId: tab.id, title: `WebRAG: ${words}` });
  } catch {
    // The tab was closed in the meantime.
  }
}

/** Return the text of an error for the user. */
export function wordsOf(error) {
  return (error instanceof WebRAGError && error.reason && chrome.i18n.getMessage(error.reason)) || error.message;
}

/** Return the SHA-256 of the page text without markup. */
async function digestOf(html) {
  const text = html.replace(/<style>[^]*?<\/style>/g, "").replace(/<[^>]*>/g, " ").replace(/\s+/g, " ");
  return hex(new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text))));
}
