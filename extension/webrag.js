// Connection to WebRAG on this computer: pairing, and requests that are only sent after WebRAG has proved its identity.

const KEY = "pairing";
const CODE = /^\s*(\d{1,5})[\s-]+([0-9A-Za-z][0-9A-Za-z\s-]{6,20})\s*$/;
const PROOF_MS = 5000;

/** An error. `reason` is a message key in _locales, or "" if `message` has the text from WebRAG. */
export class WebRAGError extends Error {
  constructor(reason, message = "") {
    super(message || reason);
    this.reason = reason;
  }
}

/** Return the pairing {port, id, token}, or undefined. */
export async function pairing() {
  return (await chrome.storage.local.get(KEY))[KEY];
}

/** Delete the pairing. WebRAG lists this browser until it is removed there. */
export async function forget() {
  await chrome.storage.local.remove(KEY);
}

/** Pair with the WebRAG instance that shows this code. */
export async function pair(typed, name) {
  const match = CODE.exec(typed);
  if (!match || Number(match[1]) < 1 || Number(match[1]) > 65535) throw new WebRAGError("notACode");
  const port = Number(match[1]);
  const made = await post(port, "pair", { code: match[2], name });
  if (typeof made.id !== "string" || typeof made.token !== "string") throw new WebRAGError("notRunning");
  await chrome.storage.local.set({ [KEY]: { port, id: made.id, token: made.token } });
}

/** Send a request to WebRAG, with `html` after the fields. */
export async function ask(path, fields, html = "") {
  const known = await pairing();
  if (!known) throw new WebRAGError("notPaired");
  await check(known);
  return post(known.port, path, fields, html, known.token);
}

/** Check that WebRAG is listening, not another program: only WebRAG knows the digest of the token. */
async function check({ port, id, token }) {
  const nonce = hex(crypto.getRandomValues(new Uint8Array(16)));
  const { proof } = await post(port, "proof", { id, nonce }, "", "", AbortSignal.timeout(PROOF_MS));
  if (proof === "") throw new WebRAGError("removed");
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(token));
  const key = await crypto.subtle.importKey("raw", digest, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  const expected = await crypto.subtle.sign("HMAC", key, new TextEncoder().encode(`${nonce}|${port}`));
  if (proof !== hex(new Uint8Array(expected))) throw new WebRAGError("notRunning");
}

async function post(port, path, fields, html = "", token = "", signal = undefined) {
  let response;
  let answer;
  try {
    response = await fetch(`http://127.0.0.1:${port}/browser/${path}`, {
      method: "POST",
      body: new Blob([JSON.stringify(fields), "\n", html]),
      headers: token ? { Authorization: `Bearer ${token}` } : {},
      credentials: "omit",
      cache: "no-store",
      redirect: "error",
      referrerPolicy: "no-referrer",
      signal,
    });
    answer = await response.json();
  } catch {
    throw new WebRAGError("notRunning");
  }
  if (answer === null || typeof answer !== "object") throw new WebRAGError("notRunning");
  if (response.status === 401) throw new WebRAGError("removed");
  if (!response.ok) {
    const { message = "", hint = "" } = typeof answer.error === "string" ? { message: answer.error } : answer.error ?? {};
    const words = `${message} ${hint}`.trim();
    throw new WebRAGError(words ? "" : "notRunning", words);
  }
  return answer;
}

export function hex(bytes) {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
