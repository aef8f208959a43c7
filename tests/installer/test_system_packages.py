"""system-packages.sh checks before it installs, and prints the command once if it cannot install."""

from __future__ import annotations

import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

SCRIPT = Path(__file__).resolve().parents[2] / "installer" / "linux" / "system-packages.sh"

pytestmark = [pytest.mark.real, pytest.mark.skipif(sys.platform != "linux", reason="for Linux")]


@dataclass(frozen=True)
class System:
    """A simulated machine: installed and available packages, the user, and the calls of apt-get."""

    folder: Path

    def program(self, name: str, body: str) -> None:
        path = self.folder / name
        path.write_text(f"#!/bin/bash\n{body}\n", "utf-8")
        path.chmod(0o755)

    def debian(self, *, installed: str = "", known: str = "", user: int = 0, apt_status: int = 0) -> None:
        self.program("dpkg-query", f'[[ " {installed} " == *" ${{@: -1}} "* ]] && echo "ii "')
        self.program("apt-cache", f'[[ " {known} " == *" $2 "* ]]')
        self.program("apt-get", f'echo "$*" >>"{self.folder}/apt.log"; exit {apt_status}')
        self.program("id", f"echo {user}")

    @property
    def apt_calls(self) -> list[str]:
        log = self.folder / "apt.log"
        return log.read_text("utf-8").splitlines() if log.exists() else []

    def run(self, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
        variables = {"PATH": str(self.folder), **environment}
        return subprocess.run(
            [SCRIPT, *arguments], env=variables, capture_output=True, text=True, check=False, timeout=30
        )


@pytest.fixture
def system(tmp_path: Path) -> System:
    for name in ("bash", "cat", "env", "uname"):
        target = shutil.which(name)
        assert target is not None
        (tmp_path / name).symlink_to(target)
    return System(tmp_path)


def test_apt_is_not_called_if_everything_is_installed(system: System) -> None:
    system.debian(installed="libone libtwo")
    result = system.run("libone", "libtwo")
    assert (result.returncode, result.stdout, result.stderr) == (0, "", "")
    assert system.apt_calls == []


def test_only_what_is_missing_is_installed(system: System) -> None:
    system.debian(installed="libone")
    assert system.run("libone", "libtwo").returncode == 0
    update, install = system.apt_calls
    assert update.endswith("update")
    assert install.endswith("install -y --no-install-recommends libtwo")


@pytest.mark.parametrize(
    ("installed", "known", "wanted"),
    [
        ("libnew", "", None),
        ("libold", "libnew", None),
        ("", "libnew libold", "libnew"),
        ("", "libold", "libold"),
    ],
)
def test_renamed_package(system: System, installed: str, known: str, wanted: str | None) -> None:
    system.debian(installed=installed, known=known)
    assert system.run("libnew|libold").returncode == 0
    assert [call.split()[-1] for call in system.apt_calls] == ([] if wanted is None else ["update", wanted])


def test_without_rights_one_message_names_the_command(system: System) -> None:
    system.debian(user=1000)
    system.program("sudo", "exit 1")
    result = system.run("libone", "libtwo")
    assert result.returncode == 1
    command = "sudo apt-get update && sudo apt-get install -y --no-install-recommends libone libtwo"
    assert result.stderr.count(command) == 1
    assert system.apt_calls == []


def test_sudo_without_password_is_used(system: System) -> None:
    system.debian(user=1000)
    system.program("sudo", '[[ "$1" == -n ]] && shift; [[ "$1" == true ]] && exit 0; exec "$@"')
    assert system.run("libone").returncode == 0
    assert len(system.apt_calls) == 2


def test_failing_installation_fails(system: System) -> None:
    system.debian(apt_status=100)
    result = system.run("libone")
    assert result.returncode == 1
    assert "installed automatically. Run" in result.stderr


def test_tools_that_single_tests_use_may_be_missing(system: System) -> None:
    system.debian(apt_status=100)
    result = system.run("tools")
    assert result.returncode == 0 and "tests that use them are skipped" in result.stderr
    assert "shellcheck" in system.apt_calls[-1] or len(system.apt_calls) == 1


def test_other_systems_continue_with_a_note(system: System) -> None:
    result = system.run("run")
    assert result.returncode == 0
    assert "libegl1" in result.stderr


def test_it_can_be_switched_off(system: System) -> None:
    system.debian()
    result = system.run("libone", SYSTEM_PACKAGES="no")
    assert (result.returncode, result.stderr, system.apt_calls) == (0, "", [])


def test_every_group_is_known(system: System) -> None:
    system.debian()
    assert system.run("run", "test", "package").returncode == 0
    installed = system.apt_calls[-1].split()
    assert {"libxcb-cursor0", "xvfb", "binutils"} <= set(installed)
    assert not {"run", "test", "package"} & set(installed)
