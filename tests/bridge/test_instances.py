"""Find the instance: which files are trusted, and users without a home folder."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from app import bridge
from app.bridge.instances import Instances
from app.errors import NotRunningError
from app.instance import Holding, RuntimeInfo, find_instance, hold_instance, noted_instance, write_runtime
from tests.bridge.fake_instance import FakeInstance


class Nobody:
    def changed(self, word: bytes) -> None: ...
    def returned(self) -> None: ...
    def hung(self, info: RuntimeInfo) -> None: ...


def test_a_user_without_a_home_folder_gets_a_hint(monkeypatch: pytest.MonkeyPatch) -> None:
    def homeless() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr(bridge, "default_data_dir", homeless)
    instances = Instances(bridge._known_data_dir(), Nobody())
    instances.attach("client")
    assert instances.running() is None
    with pytest.raises(NotRunningError) as caught:
        instances.current()
    assert "HOME" in caught.value.hint


def test_the_file_of_another_process_is_not_contacted(tmp_path: Path) -> None:
    """Another program may have its port now and would receive the token."""
    with FakeInstance(tmp_path) as instance:
        assert find_instance(tmp_path) == instance.info
        with hold_instance(tmp_path, Holding.COMMAND):
            write_runtime(tmp_path, RuntimeInfo(instance.info.url, "t", os.getpid() + 1, "1"))
            connections = instance.connections
            assert noted_instance(tmp_path) is None
            assert find_instance(tmp_path) is None
            assert instance.connections == connections


def test_a_mere_lookup_does_not_start_an_instance(tmp_path: Path) -> None:
    instances = Instances(tmp_path, Nobody())
    assert instances.running() is None
    with FakeInstance(tmp_path) as instance:
        endpoint = instances.running()
        assert endpoint is not None and endpoint.info == instance.info
        assert instances.current() is endpoint
        instances.lost(endpoint)
        assert instances.running() is not endpoint
