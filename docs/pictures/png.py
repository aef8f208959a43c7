"""Write small PNG files."""

from __future__ import annotations

import re
import shutil
import struct
import zlib
from pathlib import Path
from typing import Any, Final

import numpy as np

ROOT: Final = Path(__file__).resolve().parents[2]
TARGET: Final = ROOT / "build" / "screenshots"
SHOWN: Final = ROOT / "docs" / "screenshots"
"""Pictures that documents show; only these are in the repository."""
MAX_BYTES: Final = 250_000
COLOURS: Final = 256
CLOSE: Final = 40
"""Squared distance above which two colors get separate entries in the palette."""


def save(picture: Any, name: str, folder: Path = TARGET) -> None:
    """Write a pixmap. Raises RuntimeError if the file is larger than MAX_BYTES."""
    from PySide6.QtGui import QImage

    folder.mkdir(parents=True, exist_ok=True)
    file = folder / f"{name}.png"
    image = picture.toImage().convertToFormat(QImage.Format.Format_RGB888)
    file.write_bytes(_png(_pixels(image)))
    bytes_written = file.stat().st_size
    print(f"{file}  {picture.width()} x {picture.height()}  {bytes_written // 1000} kB")
    if bytes_written > MAX_BYTES:
        raise RuntimeError(f"{file.name} is larger than {MAX_BYTES // 1000} kB")


def renew_shown(made: Path = TARGET) -> None:
    """Update the pictures that documents show from the new ones."""
    SHOWN.mkdir(parents=True, exist_ok=True)
    texts = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]
    names = {name for text in texts for name in re.findall(r"screenshots/([\w-]+\.png)", text.read_text("utf-8"))}
    for name in sorted(names):
        if (made / name).is_file():
            shutil.copyfile(made / name, SHOWN / name)


def _pixels(image: Any) -> np.ndarray[Any, np.dtype[np.uint8]]:
    width, height = image.width(), image.height()
    rows = np.frombuffer(bytes(image.constBits()), np.uint8).reshape(height, image.bytesPerLine())
    return rows[:, : 3 * width].reshape(height, width, 3)


def _png(pixels: np.ndarray[Any, np.dtype[np.uint8]]) -> bytes:
    """Encode with a palette and without row filters: flat colors take a quarter of the size of Qt's encoder."""
    height, width, _ = pixels.shape
    colours, inverse, counts = np.unique(pixels.reshape(-1, 3), axis=0, return_inverse=True, return_counts=True)
    palette = _palette(colours.astype(np.int32), counts)
    indices = _nearest(colours.astype(np.int32), palette)[inverse.reshape(height, width)]
    rows = np.concatenate([np.zeros((height, 1), np.uint8), indices], axis=1).tobytes()
    header = struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)
    parts = ((b"IHDR", header), (b"PLTE", palette.astype(np.uint8).tobytes()), (b"IDAT", zlib.compress(rows, 9)))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        for kind, data in (*parts, (b"IEND", b""))
    )


def _palette(
    colours: np.ndarray[Any, np.dtype[np.int32]], counts: np.ndarray[Any, np.dtype[np.int64]]
) -> np.ndarray[Any, np.dtype[np.int32]]:
    """Return the most frequent colors that are not close to a more frequent one."""
    if len(colours) <= COLOURS:
        return colours
    chosen: list[np.ndarray[Any, np.dtype[np.int32]]] = []
    for place in np.argsort(-counts):
        colour = colours[place]
        if not chosen or int(((np.stack(chosen) - colour) ** 2).sum(axis=1).min()) > CLOSE:
            chosen.append(colour)
            if len(chosen) == COLOURS:
                break
    return np.stack(chosen)


def _nearest(
    colours: np.ndarray[Any, np.dtype[np.int32]], palette: np.ndarray[Any, np.dtype[np.int32]]
) -> np.ndarray[Any, np.dtype[np.uint8]]:
    found = np.empty(len(colours), np.uint8)
    for start in range(0, len(colours), 2_000):
        part = colours[start : start + 2_000, None, :]
        found[start : start + 2_000] = ((part - palette[None]) ** 2).sum(axis=2).argmin(axis=1)
    return found
