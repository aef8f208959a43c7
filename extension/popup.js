// Popup of the toolbar button: pairing, state of the page, saving and asking.

import { wordsOf } from "./pages.js";
import { forget, pair, pairing } from "./webrag.js";

const at = (id) => document.getElementById(id);
const text = (name, ...values) => chrome.i18n.getMessage(name, values);

for (const element of document.querySelectorAll("[data-text]")) element.textContent = text(element.dataset.text);
document.documentElement.lang = chrome.i18n.getUILanguage();

const [tab] = await chrome.tabs.query({ active: true, currentWindow: true });

function say(words, isFailed = false) {
  at("state").textContent = words;
  at("state").classList.toggle("failed", isFailed);
}

/** Run a task in the background script. Show an error and return null if it fails. */
async function work(task, more = {}) {
  const { result, error, reason } = await chrome.runtime.sendMessage({ task, tab: { id: tab.id }, ...more });
  if (!error) return result;
  say(error, true);
  if (reason === "removed") {
    await forget();
    await start();
  }
  return null;
}

async function start() {
  const isPaired = (await pairing()) !== undefined;
  at("pairing").hidden = isPaired;
  at("page").hidden = !isPaired;
  if (!isPaired) {
    if (!at("state").textContent) say(text("notPaired"));
    at("code").focus();
    return;
  }
  say(text("looking"));
  const found = await work("state");
  if (found) {
    say(text({ kept: "stateKept", changed: "stateChanged" }[found.state] ?? "stateNew"));
    at("selection").hidden = !found.hasSelection;
  }
}

async function busy(element, action) {
  element.disabled = true;
  try {
    await action();
  } finally {
    element.disabled = false;
  }
}

function nameOfBrowser() {
  const agent = navigator.userAgent;
  const name = navigator.userAgentData?.brands?.map((each) => each.brand).find((each) => !/not.?a|^chromium$/i.test(each));
  const known = name ?? (/Firefox/.test(agent) ? "Firefox" : "Chromium");
  const system = /Windows/.test(agent) ? "Windows" : /Mac OS/.test(agent) ? "macOS" : "Linux";
  return text("onSystem", known, system);
}

at("pairing").addEventListener("submit", async (event) => {
  event.preventDefault();
  await busy(event.submitter, async () => {
    try {
      // Firefox lets the user grant access to the local address; other browsers grant it at installation.
      await chrome.permissions.request({ origins: ["http://127.0.0.1/*"] });
      await pair(at("code").value, nameOfBrowser());
      say("");
      await start();
    } catch (error) {
      say(wordsOf(error), true);
    }
  });
});

for (const [id, selection] of [["keep", false], ["selection", true]]) {
  at(id).addEventListener("click", (event) => busy(event.currentTarget, async () => {
    say(text("keeping"));
    const found = await work("keep", { selection });
    if (found) say(text(found.change === "unchanged" ? "unchanged" : selection ? "keptSelection" : "stateKept"));
  }));
}

at("asking").addEventListener("submit", async (event) => {
  event.preventDefault();
  const question = at("question").value.trim();
  if (!question) return;
  await busy(event.submitter, async () => {
    say(text("asking"));
    at("hits").replaceChildren();
    const found = await work("ask", { question });
    if (!found) return;
    say(text(found.nothing_found || !found.hits.length ? "nothingFound" : "found"));
    at("hits").replaceChildren(...found.hits.map(itemOf));
  });
});

function itemOf(hit) {
  const item = document.createElement("li");
  const place = document.createElement("b");
  const words = document.createElement("span");
  place.textContent = hit.section;
  words.textContent = hit.text;
  item.append(place, words);
  return item;
}

await start();
