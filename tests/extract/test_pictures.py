"""Images from servers: stored images are small and re-encoded, all others are rejected with a reason."""

from __future__ import annotations

import io
import random
import struct
import zlib
from typing import Any

import pytest
from PIL import Image

from app import caps
from app.errors import UnsupportedContentError
from app.extract.pictures import MAX_PIXELS, MIN_SIDE, SIGNATURES, read_picture

URL = "https://example.org/a.png"


def encoded(image: Image.Image, format: str, **options: Any) -> bytes:
    made = io.BytesIO()
    image.save(made, format, **options)
    return made.getvalue()


def drawing(width: int = 64, height: int = 48, mode: str = "RGB") -> Image.Image:
    return Image.new(mode, (width, height), "red" if mode in ("RGB", "RGBA") else 1)


def photograph(width: int, height: int, mode: str = "RGB") -> Image.Image:
    """Return noise, which compresses as badly as an image can."""
    bands = len(mode)
    return Image.frombytes(mode, (width, height), random.Random(7).randbytes(width * height * bands))


def png_that_says(width: int, height: int, data: bytes = b"") -> bytes:
    """Return a PNG with a header of any size and little data."""

    def part(kind: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + part(b"IHDR", head) + part(b"IDAT", data) + part(b"IEND", b"")


@pytest.mark.parametrize("format", ["PNG", "JPEG", "GIF", "WEBP"])
def test_usual_image_formats_are_read_regardless_of_their_address(format: str) -> None:
    made = read_picture(encoded(drawing(), format), URL)
    assert (made.width, made.height) == (64, 48)
    assert made.content.startswith(SIGNATURES[made.media_type])


@pytest.mark.parametrize("mode", ["1", "L", "P", "LA", "RGBA", "I;16"])
def test_every_pixel_format_is_converted(mode: str) -> None:
    assert read_picture(encoded(Image.new(mode, (40, 40)), "PNG"), URL).width == 40


def test_photographs_become_jpeg_and_drawings_and_transparent_ones_png() -> None:
    assert read_picture(encoded(photograph(90, 90), "PNG"), URL).media_type == "image/jpeg"
    assert read_picture(encoded(drawing(), "PNG"), URL).media_type == "image/png"
    half = drawing(mode="RGBA")
    half.putalpha(128)
    kept = read_picture(encoded(half, "WEBP"), URL)
    with Image.open(io.BytesIO(kept.content)) as again:
        assert (kept.media_type, again.mode) == ("image/png", "RGBA")


def test_large_images_are_scaled_down_within_the_limits() -> None:
    opaque = read_picture(encoded(photograph(1_900, 250), "PNG", compress_level=0), URL)
    assert max(opaque.width, opaque.height) <= caps.MAX_PICTURE_SIDE
    assert opaque.width / opaque.height == pytest.approx(1_900 / 250, rel=0.02)
    see_through = read_picture(encoded(photograph(500, 500, "RGBA"), "PNG", compress_level=0), URL)
    assert max(len(opaque.content), len(see_through.content)) <= caps.MAX_KEPT_PICTURE_BYTES


def test_only_the_pixels_are_kept() -> None:
    camera = Image.Exif()
    camera[0x010E] = "Where we live"
    camera[0x0112] = 6
    told = encoded(photograph(60, 40), "JPEG", exif=camera, comment=b"written by hand")
    made = read_picture(told + b"<script>alert(1)</script>", URL)
    assert (made.width, made.height) == (40, 60), "rotated upright"
    for secret in (b"Where we live", b"written by hand", b"script", b"Exif"):
        assert secret not in made.content


def test_only_the_first_frame_of_an_animation_is_kept() -> None:
    frames = [drawing(), *(Image.new("RGB", (64, 48), (number, 0, 200)) for number in range(60))]
    made = read_picture(encoded(frames[0], "GIF", save_all=True, append_images=frames[1:]), URL)
    with Image.open(io.BytesIO(made.content)) as again:
        assert getattr(again, "n_frames", 1) == 1
        assert again.convert("RGB").getpixel((5, 5)) == (255, 0, 0)


@pytest.mark.parametrize("side", [1, 2, MIN_SIDE - 1])
def test_counters_and_spacers_are_not_images(side: int) -> None:
    with pytest.raises(UnsupportedContentError, match="too small"):
        read_picture(encoded(drawing(side, 400), "GIF"), URL)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"<!doctype html><html><body><h1>Sign in</h1></body></html>",
        b'<svg xmlns="http://www.w3.org/2000/svg" width="90" height="90"><script>alert(1)</script></svg>',
        b"%PDF-1.7\n",
        b"\x89PNG\r\n\x1a\n",
        b"\xff\xd8\xff\xe0" + bytes(400),
        b"GIF89a" + b"\xff" * 400,
        b"RIFF\x10\x00\x00\x00WEBPVP8 " + bytes(40),
        png_that_says(600, 600, zlib.compress(b"")),
        encoded(photograph(200, 200), "PNG")[:9_000],
        encoded(photograph(200, 200), "JPEG")[:3_000],
        encoded(photograph(200, 200), "WEBP")[:3_000],
        encoded(drawing(), "TIFF"),
        encoded(drawing(), "BMP"),
    ],
    ids=range(14),
)
def test_invalid_and_truncated_images_are_rejected(content: bytes) -> None:
    with pytest.raises(UnsupportedContentError, match="damaged or not an image"):
        read_picture(content, URL)


@pytest.mark.parametrize(("width", "height"), [(30_000, 30_000), (MAX_PIXELS, 2), (65_535, 65_535), (2**31 - 1, 1)])
def test_a_bomb_is_rejected_by_its_header(width: int, height: int) -> None:
    bomb = png_that_says(width, height, zlib.compress(bytes(1_000_000), 9))
    with pytest.raises(UnsupportedContentError, match="pixels"):
        read_picture(bomb, URL)


def test_a_gif_frame_larger_than_declared_is_limited_too() -> None:
    small = bytearray(encoded(drawing(), "GIF"))
    place = small.index(b"\x2c")
    small[place + 5 : place + 9] = struct.pack("<HH", 65_535, 65_535)
    with pytest.raises(UnsupportedContentError):
        read_picture(bytes(small), URL)


def test_too_large_images_are_not_decoded() -> None:
    with pytest.raises(UnsupportedContentError, match="too large"):
        read_picture(bytes(caps.MAX_PICTURE_BYTES + 1), URL)


def test_all_damage_raises_the_same_error() -> None:
    dice = random.Random(3)
    for format in ("PNG", "JPEG", "GIF", "WEBP"):
        whole = encoded(photograph(48, 48), format)
        for _ in range(60):
            broken = bytearray(whole)
            for _ in range(dice.randrange(1, 6)):
                broken[dice.randrange(len(broken))] = dice.randrange(256)
            try:
                made = read_picture(bytes(broken[: dice.randrange(20, len(broken) + 1)]), URL)
            except UnsupportedContentError:
                continue
            assert len(made.content) <= caps.MAX_KEPT_PICTURE_BYTES
