#!/usr/bin/env node
// Connects an assistant to WebRAG Desktop on this computer: finds `webrag`, runs `webrag mcp` and forwards the messages. It does
// not have tools, a model or data. Uses only the standard library of Node.
"use strict";

const { spawn } = require("node:child_process");
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const readline = require("node:readline");

const WINDOWS = process.platform === "win32";
const PROGRAM = WINDOWS ? "webrag.exe" : "webrag";
const UNAVAILABLE = -32001;
const MAX_KEPT_BYTES = 1 << 20;
const HELP =
  "WebRAG Desktop was not found on this computer. Install it and start it once, then restart this assistant. " +
  "If it is installed in another folder, set the program in the settings of this extension.";

// Hosts pass an empty setting as "" or as its placeholder.
function setting(name) {
  const value = (process.env[name] || "").trim();
  return value.startsWith("${") ? "" : value;
}

function isProgram(file) {
  try {
    if (!fs.statSync(file).isFile()) return false;
    fs.accessSync(file, WINDOWS ? fs.constants.R_OK : fs.constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function dataFolder() {
  const home = os.homedir();
  const chosen = setting("WEBRAG_DATA_DIR");
  if (chosen) return chosen;
  if (WINDOWS) return path.join(process.env.LOCALAPPDATA || path.join(home, "AppData", "Local"), "WebRAG");
  if (process.platform === "darwin") return path.join(home, "Library", "Application Support", "WebRAG");
  return path.join(process.env.XDG_DATA_HOME || path.join(home, ".local", "share"), "webrag");
}

// The program of the running instance. For an AppImage, the image itself, because its unpacked files change with the version. Only
// Linux shows the file of a process.
function running() {
  try {
    const process = `/proc/${Number(JSON.parse(fs.readFileSync(path.join(dataFolder(), "runtime.json"), "utf8")).pid)}`;
    const folder = path.dirname(fs.readlinkSync(`${process}/exe`));
    const variables = fs.readFileSync(`${process}/environ`, "utf8").split("\0");
    const variable = (name) => (variables.find((entry) => entry.startsWith(`${name}=`)) || "").slice(name.length + 1);
    const image = variable("APPDIR") && folder.startsWith(`${variable("APPDIR")}/`) ? variable("APPIMAGE") : "";
    return [image || path.join(folder, PROGRAM)];
  } catch {
    return [];
  }
}

function usualPlaces() {
  const home = os.homedir();
  if (WINDOWS) {
    const local = process.env.LOCALAPPDATA || path.join(home, "AppData", "Local");
    return [path.join(local, "Programs", "WebRAG", PROGRAM)];
  }
  if (process.platform === "darwin") {
    const inside = path.join("Applications", "WebRAG.app", "Contents", "MacOS", PROGRAM);
    return [path.join("/", inside), path.join(home, inside)];
  }
  return ["/usr/lib/webrag/webrag", path.join(home, ".local", "bin", PROGRAM), ...images(home)];
}

// AppImages in common folders, newest first.
function images(home) {
  const found = [];
  for (const folder of ["Applications", path.join(".local", "bin"), "Downloads"].map((name) => path.join(home, name))) {
    try {
      for (const name of fs.readdirSync(folder)) {
        if (/^WebRAG[-_.\w]*\.AppImage$/i.test(name)) found.push(path.join(folder, name));
      }
    } catch {
      continue;
    }
  }
  return found.sort((one, other) => fs.statSync(other).mtimeMs - fs.statSync(one).mtimeMs);
}

function onPath() {
  const folders = (process.env.PATH || "").split(path.delimiter).filter((folder) => path.isAbsolute(folder));
  return folders.map((folder) => path.join(folder, PROGRAM));
}

function findProgram() {
  const chosen = setting("WEBRAG_PROGRAM");
  if (chosen) return isProgram(chosen) ? chosen : null;
  return [...running(), ...usualPlaces(), ...onPath()].find(isProgram) || null;
}

// Reply to every request with the error, so that the host can show it, until the host closes the connection. `before` contains the
// earlier messages of the host.
function refuse(message, before = "") {
  process.stderr.write(`${message}\n`);
  const answer = (line) => {
    let id;
    try {
      ({ id } = JSON.parse(line));
    } catch {
      return;
    }
    if (id === undefined || id === null) return;
    process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, error: { code: UNAVAILABLE, message } })}\n`);
  };
  before.split("\n").forEach(answer);
  process.exitCode = 1;
  // Unpipe now: doing it later would pause the input.
  process.stdin.unpipe();
  const lines = readline.createInterface({ input: process.stdin, crlfDelay: Infinity });
  lines.on("line", answer);
  lines.on("close", () => process.exit(1));
}

function join(program) {
  const folder = setting("WEBRAG_DATA_DIR");
  const child = spawn(program, ["mcp", ...(folder ? ["--data-dir", folder] : [])], {
    stdio: ["pipe", "pipe", "pipe"],
    windowsHide: true,
  });
  let started = false;
  // Messages of the host before the first reply. If the program exits without one, we reply to them.
  let unanswered = Buffer.alloc(0);
  const keep = (chunk) => {
    unanswered = Buffer.concat([unanswered, chunk]);
    if (unanswered.length > MAX_KEPT_BYTES) settle();
  };
  const settle = () => {
    process.stdin.off("data", keep);
    unanswered = null;
  };
  child.on("spawn", () => {
    started = true;
    process.stdin.on("data", keep);
    child.stdout.once("data", settle);
    process.stdin.pipe(child.stdin);
    child.stdout.pipe(process.stdout);
    child.stderr.pipe(process.stderr);
  });
  child.on("error", (error) => {
    unanswered = null;
    if (!started) refuse(`Could not start ${program}: ${error.message}`);
  });
  // If the host or the bridge exits, the closed pipe tells the other end.
  child.stdin.on("error", () => {});
  process.stdout.on("error", () => child.kill());
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill());
  child.on("close", (status) => {
    if (!started) return;
    if (status && unanswered) refuse(`${program} exited immediately (status ${status}).`, unanswered.toString());
    else process.exit(status === null ? 1 : status);
  });
}

const program = findProgram();
if (program === null) refuse(HELP);
else join(program);
