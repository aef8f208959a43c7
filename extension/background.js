// Context menus, and tasks that continue after the popup is closed.

import { keep, question, stateOf, wordsOf } from "./pages.js";

const MENUS = { "keep-page": ["page", "menuKeep"], "keep-selection": ["selection", "menuSelection"], ask: ["page", "menuAsk"] };

// Scripts in pages, including our own, must not read the token.
chrome.storage.local.setAccessLevel?.({ accessLevel: "TRUSTED_CONTEXTS" });

chrome.runtime.onInstalled.addListener(async () => {
  await chrome.contextMenus.removeAll();
  for (const [id, [context, message]] of Object.entries(MENUS)) {
    chrome.contextMenus.create({ id, contexts: [context], title: chrome.i18n.getMessage(message) });
  }
});

chrome.contextMenus.onClicked.addListener((info, tab) => {
  if (!tab) return;
  if (info.menuItemId === "ask") {
    chrome.action.openPopup?.();
    return;
  }
  // The toolbar shows errors.
  keep(tab, info.menuItemId === "keep-selection").catch(() => {});
});

const WORK = {
  state: ({ tab }) => stateOf(tab),
  keep: ({ tab, selection }) => keep(tab, selection === true),
  ask: ({ tab, question: words }) => question(tab, words),
};

chrome.runtime.onMessage.addListener((message, sender, answer) => {
  const work = Object.hasOwn(WORK, message?.task) ? WORK[message.task] : null;
  // Only accept messages from our popup, not from scripts in pages.
  if (sender.id !== chrome.runtime.id || (sender.url ?? "").startsWith("http") || !work) return false;
  work(message).then(
    (result) => answer({ result }),
    (error) => answer({ error: wordsOf(error), reason: error.reason ?? "" }),
  );
  return true;
});
