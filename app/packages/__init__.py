"""Packages that projects use: which versions, and what their copies say about themselves. Reads files only; nothing of a package runs."""

from __future__ import annotations

from app.packages.archives import (
    Artefact,
    ArtefactError,
    artefact_contents,
    check_public,
    locked_artefact,
    published_artefact,
    registry_address,
)
from app.packages.contents import Found, installed_contents, installed_size
from app.packages.definitions import with_signatures
from app.packages.docsets import FoundDocset, docsets_here, read_docset
from app.packages.projects import changed_at, read_lock_file, read_project, read_projects
from app.packages.records import LockFileError, PackagePage, Project, Used
from app.packages.sites import INVENTORY, MAX_INVENTORY_BYTES, check_version, read_inventory, site_contents

__all__ = [
    "INVENTORY",
    "MAX_INVENTORY_BYTES",
    "Artefact",
    "ArtefactError",
    "Found",
    "FoundDocset",
    "LockFileError",
    "PackagePage",
    "Project",
    "Used",
    "artefact_contents",
    "changed_at",
    "check_public",
    "check_version",
    "docsets_here",
    "installed_contents",
    "installed_size",
    "locked_artefact",
    "published_artefact",
    "read_docset",
    "read_inventory",
    "read_lock_file",
    "read_project",
    "read_projects",
    "registry_address",
    "site_contents",
    "with_signatures",
]
