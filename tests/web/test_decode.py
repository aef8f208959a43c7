from __future__ import annotations

import gzip
import itertools
import zlib

import brotli
import httpx
import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from app.web.body import MAX_COMPRESSED_MEMBERS, DecodeError, content_type, decoder_for

PACK = {
    "gzip": gzip.compress,
    "gzip, gzip": lambda data: gzip.compress(gzip.compress(data)),
    "deflate": zlib.compress,
    "br": brotli.compress,
    "zstd": zstandard.compress,
}


def unpacked(coding: str, data: bytes, cuts: list[int]) -> bytes:
    decoder = decoder_for(coding)
    assert decoder is not None
    edges = [0, *sorted(cut % (len(data) + 1) for cut in cuts), len(data)]
    parts = [piece for start, end in itertools.pairwise(edges) for piece in decoder.feed(data[start:end])]
    decoder.finish()
    return b"".join(parts)


@given(st.sampled_from(sorted(PACK)), st.binary(max_size=3_000), st.lists(st.integers(0, 10_000), max_size=6))
def test_network_boundaries_do_not_matter(coding: str, body: bytes, cuts: list[int]) -> None:
    assert unpacked(coding, PACK[coding](body * 3), cuts) == body * 3


@given(st.sampled_from(sorted(PACK)), st.binary(max_size=500))
def test_invalid_input_raises_a_webrag_error(coding: str, data: bytes) -> None:
    try:
        unpacked(coding, data, [])
    except DecodeError:
        return


@pytest.mark.parametrize("coding", ["gzip", "zstd"])
def test_the_parts_of_a_body_are_counted(coding: str) -> None:
    """Empty parts cost time, and no size limit would ever end them."""
    assert unpacked(coding, PACK[coding](b"x") * MAX_COMPRESSED_MEMBERS, []) == b"x" * MAX_COMPRESSED_MEMBERS
    with pytest.raises(DecodeError, match="parts"):
        unpacked(coding, PACK[coding](b"") * (MAX_COMPRESSED_MEMBERS + 1), [])


def test_a_type_with_parameters_that_python_cannot_sort_is_read() -> None:
    assert content_type(httpx.Headers({"content-type": "Text/HTML; a*1=b; a*=c"})) == ("text/html", None)
