"""Every hard limit of the program, named once. Units are in the names; sizes are bytes unless a name says otherwise."""

from __future__ import annotations

from typing import Final

KIB: Final = 1024
MIB: Final = 1024 * KIB

# web
MAX_BODY_BYTES: Final = 10 * MIB
"""Cap on a response body after decompression."""
MAX_REDIRECTS: Final = 5
MAX_URL_CHARS: Final = 2_048
MAX_CONNECT_SECONDS: Final = 10.0
MAX_REQUEST_TIMEOUT_MS: Final = 120_000
MAX_CONCURRENCY: Final = 16
MAX_PER_HOST: Final = 2
ROBOTS_BYTES: Final = 512 * KIB
ROBOTS_SECONDS: Final = 24 * 3600
ROBOTS_RETRY_SECONDS: Final = 300
"""How long an unreachable robots.txt is not asked for again."""
HOST_REQUESTS_PER_SECOND: Final = 1.0
"""Pace of automatic fetching per host."""
HOST_BURST: Final = 4
MAX_CRAWL_DELAY_SECONDS: Final = 60.0
MAX_PAUSE_SECONDS: Final = 5.0
"""Longest wait on a site's Retry-After; a longer one fails with the seconds in the message."""
MAX_HOSTS_REMEMBERED: Final = 1_000
MAX_ZSTD_WINDOW_BYTES: Final = 8 * MIB
REFETCH_THROTTLE_SECONDS: Final = 30.0
"""A page fetched less than this ago is not asked for again in the same run unless forced."""

# extract and chunk
MAX_PAGE_CHARS: Final = 6_000_000
MAX_DOM_DEPTH: Final = 400
MAX_LINKS_PER_PAGE: Final = 2_000
MAX_IMAGES_PER_PAGE: Final = 200
MAX_TITLE_CHARS: Final = 300
MAX_HEADING_CHARS: Final = 200
MAX_ANCHOR_TEXT_CHARS: Final = 200
MAX_CHUNKS_PER_DOCUMENT: Final = 8_000
CHUNK_TOKENS: Final = 220
"""Largest chunk in tokens of the bundled embedding model."""
CHUNK_HEAD_TOKENS: Final = 36
"""Room that a chunk leaves in the model's window for title and heading path."""
CHUNK_OVERLAP: Final = 0.12
MIN_CHUNK_TOKENS: Final = 48

# embed
EMBED_THREADS: Final = 2
EMBED_HTTP_BATCH: Final = 32
EMBED_HTTP_SECONDS: Final = 60.0
EMBED_HTTP_RESPONSE_BYTES: Final = 32 * MIB

# corpus
BUSY_TIMEOUT_MS: Final = 5_000
READER_CONNECTIONS: Final = 4
READER_WAIT_SECONDS: Final = 10.0
"""A call that finds no free reader within this time is told that the corpus is busy."""
WAL_BYTES: Final = 64 * MIB
"""The write-ahead log is cut back to this after a checkpoint."""
MAX_ACTIVITY_ROWS: Final = 20_000
MAX_CHANGE_ROWS: Final = 50_000
"""Changes of vectors that stay in the log; a process further behind reads all codes again."""
EXACT_SCAN_CHUNKS: Final = 2_000
"""A search restricted to no more chunks than this compares every vector."""
MAX_PROBLEMS_PER_CHECK: Final = 20
RESCORE_MIN: Final = 400
RESCORE_MAX: Final = 4_000

# retrieval
MAX_QUERY_CHARS: Final = 2_000
MAX_QUERY_TERMS: Final = 64
CANDIDATES_PER_RETRIEVER: Final = 100
RERANK_CANDIDATES: Final = 40
MAX_TOP_K: Final = 50
DEFAULT_TOP_K: Final = 20
MAX_SUB_QUERIES: Final = 4
MAX_CITATION_CHARS: Final = 300

# orchestration
MAX_URLS_PER_CALL: Final = 10
MAX_EXPANSION_BUDGET: Final = 10
MAX_LINKS_PER_ITERATION: Final = 4
EVIDENCE_TOKENS: Final = 2_600
"""Evidence of one answer; sources, quotes and statistics come on top."""
ADJACENT_TOKENS: Final = 400
FULL_CONTEXT_TOKENS: Final = 1_600
"""Pages that together hold no more than this are returned whole."""
MAX_CITATIONS: Final = 6
MAX_IMAGES_SHOWN: Final = 8

# server
MAX_REQUEST_BYTES: Final = 1 * MIB
MAX_RESPONSE_BYTES: Final = 64 * KIB
MAX_KNOWN_CONTEXT_CHARS: Final = 8_000
MAX_CONSTRAINTS: Final = 10
MAX_CONSTRAINT_CHARS: Final = 200
MAX_RESPONSE_CHARS: Final = 48_000
UNKNOWN_CLIENT_TOKENS: Final = 20_000
MAX_STATUS_URLS: Final = 100
MAX_CONCURRENT_CALLS: Final = 4
MAX_QUEUED_CALLS: Final = 16
ATTACH_GRACE_SECONDS: Final = 30.0
PORTS_TRIED: Final = 20
"""Ports above the configured one that are tried when it is taken."""

# bridge
BRIDGE_START_SECONDS: Final = 30.0
BRIDGE_MESSAGE_BYTES: Final = 4 * MIB
BRIDGE_CALLS: Final = 256
"""Messages of one client that may be under way at once."""
BRIDGE_DRAIN_SECONDS: Final = 5.0
"""How long replies under way are waited for after the client closed its end."""

# desktop
MAX_ACTIVITY_SHOWN: Final = 500
MAX_LIBRARY_SHOWN: Final = 5_000
