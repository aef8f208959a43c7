"""Convert untrusted image bytes to a small re-encoded image. Only the process that reads pages calls this.

PNG, JPEG, GIF and WebP are identified by their first bytes, not by the server's media type. Of an animation, the first frame is used. The
result is re-encoded from pixels: no metadata, no second file after the image, nothing that was not decoded. SVG is never read: it is a
program that contains addresses.
"""

from __future__ import annotations

import io
import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from app import caps
from app.errors import UnsupportedContentError
from app.text.sentence import sentence

if TYPE_CHECKING:
    from PIL.Image import Image

FORMATS: Final = ("PNG", "JPEG", "GIF", "WEBP")
MAX_PIXELS: Final = 32_000_000  # The limit for the original image: decoded, it takes up to four bytes per pixel.
MIN_SIDE: Final = 16  # Smaller images are marks and counters, not content.
SIDES: Final = (caps.MAX_PICTURE_SIDE, 1_024, 640, 320)
"""The longest side in pixels: the first with which the image fits into its size limit."""
PALETTE_COLOURS: Final = 256  # An image with more colors is stored as JPEG unless parts of it are transparent.
JPEG_QUALITY: Final = 82


@dataclass(frozen=True, slots=True)
class Picture:
    """A stored image: PNG or JPEG, at most MAX_PICTURE_SIDE pixels and MAX_KEPT_PICTURE_BYTES."""

    media_type: str
    width: int
    height: int
    content: bytes


PNG: Final = "image/png"
JPEG: Final = "image/jpeg"
SIGNATURES: Final = {PNG: b"\x89PNG\r\n\x1a\n", JPEG: b"\xff\xd8\xff"}
"""The media types of stored images and their first bytes."""


def read_picture(content: bytes, url: str) -> Picture:
    """Decode, rotate, scale down and re-encode an image. Raises UnsupportedContentError if it is not a useful image."""
    import PIL.Image

    if len(content) > caps.MAX_PICTURE_BYTES:
        raise _refused(url, sentence("the file is too large"))
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", PIL.Image.DecompressionBombWarning)
            with PIL.Image.open(io.BytesIO(content), formats=FORMATS) as opened:
                # The size in the header is checked before anything is decoded.
                width, height = opened.size
                if width * height > MAX_PIXELS:
                    raise _refused(url, sentence("it has {} × {} pixels", f"{width:,}", f"{height:,}"))
                if min(width, height) < MIN_SIDE:
                    raise _refused(url, sentence("it is too small"))
                plain = _upright(opened)
                for side in SIDES:
                    plain.thumbnail((side, side))
                    plain.info.clear()  # location, device, color profile, comments
                    # PNG for drawings and transparent images, JPEG for photographs
                    is_drawing = plain.mode == "RGBA" or plain.getcolors(PALETTE_COLOURS) is not None
                    made = io.BytesIO()
                    if is_drawing:
                        plain.save(made, "PNG", optimize=plain.mode != "RGBA")
                    else:
                        plain.save(made, "JPEG", quality=JPEG_QUALITY, optimize=True)
                    if made.tell() <= caps.MAX_KEPT_PICTURE_BYTES:
                        return Picture(PNG if is_drawing else JPEG, *plain.size, made.getvalue())
                raise _refused(url, sentence("it cannot be compressed enough"))
    except (PIL.Image.DecompressionBombError, PIL.Image.DecompressionBombWarning) as error:
        raise _refused(url, sentence("it has too many pixels")) from error
    except (PIL.UnidentifiedImageError, OSError, SyntaxError, ValueError, EOFError, IndexError, TypeError) as error:
        # Pillow's decoders report damaged data by all of these.
        raise _refused(url, sentence("it is damaged or not an image")) from error


def _upright(opened: Image) -> Image:
    """Return the first frame in plain colors, rotated upright and not larger than SIDES[0]."""
    from PIL import ImageOps

    opened.draft("RGB", (SIDES[0], SIDES[0]))
    opened.load()
    has_alpha = "A" in opened.getbands() or "transparency" in opened.info
    plain = opened.convert("RGBA" if has_alpha else "RGB")
    plain.thumbnail((SIDES[0], SIDES[0]))
    turned = ImageOps.exif_transpose(plain)
    return turned.convert("RGB") if has_alpha and turned.getextrema()[-1] == (255, 255) else turned


def _refused(url: str, reason: str) -> UnsupportedContentError:
    return UnsupportedContentError(sentence("The image at {} was not saved: {}.", url, reason), url=url)
