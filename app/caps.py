"""Limits that several modules share or that docs/security.md promises; a limit of one module stands at its head.

Units are in the names; sizes are bytes unless a name says otherwise.
"""

from __future__ import annotations

from typing import Final

KIB: Final = 1024
MIB: Final = 1024 * KIB
GIB: Final = 1024 * MIB

# web
MAX_BODY_BYTES: Final = 10 * MIB
"""Cap on a response body after decompression."""
MAX_REDIRECTS: Final = 5
MAX_URL_CHARS: Final = 2_048
MAX_URL_CHARS_IN_ERRORS: Final = 200
FIRST_ADDRESS_SECONDS: Final = 3.0
"""How long the first address of a host may take to connect before the next one is tried."""
MAX_ADDRESSES_TRIED: Final = 4
MAX_CONCURRENCY: Final = 16
SERVER_ERROR_PAUSE_SECONDS: Final = (0.2, 0.8)
"""A server that has an error is asked once more after a random time between these."""
HOST_REQUESTS_PER_SECOND: Final = 1.0
"""Pace of automatic fetching per host."""
MAX_CRAWL_DELAY_SECONDS: Final = 60.0
MAX_QUIET_SECONDS: Final = 3_600.0
"""A site that asks to be left alone for longer is asked again after this time."""

# web search
SEARCH_RESULTS: Final = 10
MAX_SEARCH_RESULTS: Final = 50
MAX_SEARCH_QUERIES: Final = 10
"""Queries of one call, of a web search as of the reading of a page."""
PAGE_RESULTS: Final = 8
MAX_PAGE_RESULTS: Final = 50

# extract and chunk
MAX_PAGE_CHARS: Final = 6_000_000
MAX_LINKS_PER_PAGE: Final = 5_000
MAX_IMAGES_PER_PAGE: Final = 200
MAX_TITLE_CHARS: Final = 300
MAX_HEADING_CHARS: Final = 200
MAX_ANCHOR_TEXT_CHARS: Final = 200
MAX_CHUNKS_PER_DOCUMENT: Final = 8_000

# files and other formats
MAX_FILE_BYTES: Final = 64 * MIB
"""Largest local file that is read."""
MAX_FOLDER_FILES: Final = 20_000
MAX_FOLDER_DEPTH: Final = 24
MAX_NAVIGATION_LINKS: Final = 3_000
MAX_SITEMAPS: Final = 50

# large bodies, read in a process of their own
PREPARE_SECONDS: Final = 120.0
"""Processor time of the process: its priority is low, and other programs must not make a file unreadable."""
PREPARE_WALL_FACTOR: Final = 10
"""So many times as long it may take by the clock."""

# pictures of pages
MAX_PICTURE_BYTES: Final = 8 * MIB
"""Of one picture as a site sends it."""
MAX_PICTURE_SIDE: Final = 1_600
"""Longest side in pixels of a picture that is kept."""
MAX_KEPT_PICTURE_BYTES: Final = 512 * KIB
"""Of one that is kept: as text for an assistant it stays below the mebibyte at which some cut a result."""
MAX_PICTURES_KEPT_PER_PAGE: Final = 40
MAX_PAGE_PICTURE_BYTES: Final = 8 * MIB
"""Of all kept pictures of one page together; the window holds them while it shows the page."""
MIN_PICTURES_MB: Final = 10
MAX_PICTURES_MB: Final = 20_000

# collections and tags
MAX_LABEL_CHARS: Final = 80
"""Characters of the name of a collection or a tag."""
MAX_COLLECTION_CHARS: Final = 63
"""Of the name of a collection of a shared library."""
MAX_COLLECTIONS: Final = 500
MAX_TAGS: Final = 2_000
MAX_LABELS_PER_PAGE: Final = 50
"""Collections and tags that one page may have together."""
MAX_PAGES_LABELLED: Final = 100_000
"""Pages that one call may add to a collection or a tag, or take out of it."""
LABELS_SUGGESTED: Final = 3
"""Names that stand in the error about one that is not there."""

# jobs
MAX_CRAWL_PAGES: Final = 10_000
DEFAULT_CRAWL_PAGES: Final = 200
MAX_CRAWL_DEPTH: Final = 20
DEFAULT_CRAWL_DEPTH: Final = 3
MAX_JOB_ITEMS: Final = 50_000
MAX_JOBS_KEPT: Final = 200
"""Ended jobs that are remembered; the oldest go first."""
MAX_CRAWL_LEFT_OUT: Final = 200
"""Folders of a site that one crawl passes over."""
"""A preview of a site that asks for a longer pause between requests reads the start page only."""
MAX_IMPORTED_URLS: Final = 5_000
MAX_IMPORTED_FILES: Final = 1_000

# rendering
RENDER_SECONDS: Final = 20.0
MAX_RENDERED_BYTES: Final = MAX_BODY_BYTES

# folders and their documentation pages
MAX_FOLDER_NAME_CHARS: Final = 60
MAX_DOC_PAGES: Final = 5_000
"""Markdown files of one folder that the documentation tools see."""
MAX_DOC_PAGE_BYTES: Final = 4 * MIB
MAX_DOC_QUERY_CHARS: Final = 500
DEFAULT_DOC_RESULTS: Final = 10
MAX_DOC_RESULTS: Final = 50
MAX_DOC_PAGES_LISTED: Final = 300
MAX_DOC_SECTIONS_ASKED: Final = 50

# graph
MAX_ENTITY_NAME_CHARS: Final = 80
MAX_ENTITIES_PER_SECTION: Final = 60
GRAPH_FREQUENCY_COUNTED: Final = 64
"""In how many sections an entity stands is not counted beyond this."""
MAX_GRAPH_STARTS: Final = 10
MAX_GRAPH_HOPS: Final = 2
DEFAULT_GRAPH_PAGE: Final = 25
MAX_GRAPH_PAGE: Final = 100
DEFAULT_GRAPH_PATHS: Final = 5
MAX_GRAPH_PATHS: Final = 20
MAX_DEGREE_COUNTED: Final = 1_000

# embed
EMBED_THREADS: Final = 2

# corpus
BUSY_TIMEOUT_MS: Final = 5_000
READER_CONNECTIONS: Final = 8
"""Readings of the library at the same time; the others wait their turn."""
READER_WAIT_SECONDS: Final = 60.0
"""Who has no turn within this time is told that the library is busy."""
USAGE_DAYS: Final = 30
QUESTION_DAYS: Final = 90
"""Questions that a person lets be kept are erased when they are older than this."""
MAX_QUESTIONS: Final = 5_000

# retrieval
MAX_QUERY_CHARS: Final = 2_000
MAX_QUERY_TERMS: Final = 64
MAX_EXACT_NAMES: Final = 16
CANDIDATES_PER_RETRIEVER: Final = 100
MAX_TOP_K: Final = 50
DEFAULT_TOP_K: Final = 20

# knowledge base
DEFAULT_KB_RESULTS: Final = 5
MAX_KB_PAGE: Final = 25
DEFAULT_PREVIEW_CHARS: Final = 280
DEFAULT_PER_DOCUMENT: Final = 1
DEFAULT_EXCERPT_TOKENS: Final = 300
MIN_EXCERPT_TOKENS: Final = 10
MAX_EXCERPT_TOKENS: Final = 800
DEFAULT_AROUND_TOKENS: Final = 150
DEFAULT_QUOTES: Final = 6
MAX_QUOTES: Final = 12
DEFAULT_QUOTE_TOKENS: Final = 80
MIN_QUOTE_TOKENS: Final = 10
DEFAULT_CONTEXT_TOKENS: Final = 20
MAX_KB_PASSAGES: Final = 25
"""Passages that quotes are taken from in one call."""
MAX_PASSAGE_ID_CHARS: Final = 200

# orchestration
MAX_URLS_PER_CALL: Final = 10
MAX_EXPANSION_BUDGET: Final = 10

# server
MAX_REQUEST_BYTES: Final = 1 * MIB
MAX_RESPONSE_BYTES: Final = 64 * KIB
MAX_KNOWN_CONTEXT_CHARS: Final = 8_000
MAX_CONSTRAINTS: Final = 10
MAX_RESPONSE_CHARS: Final = 48_000
MAX_BROWSER_HEAD_BYTES: Final = 16 * KIB
MAX_BROWSER_REQUEST_BYTES: Final = MAX_BODY_BYTES + MAX_BROWSER_HEAD_BYTES
"""A page as a browser shows it, as large as one that is fetched may be, and what is said about it."""
BROWSER_HITS: Final = 5
"""Passages of a page that a browser gets for a question."""
CLAUDE_CODE_TOKENS: Final = 20_000
UNKNOWN_CLIENT_TOKENS: Final = CLAUDE_CODE_TOKENS
MAX_STATUS_URLS: Final = 100
MAX_CONCURRENT_CALLS: Final = 4
MAX_CONCURRENT_CALLS_PER_CALLER: Final = 3
"""One place is always left to somebody else."""
MAX_QUEUED_CALLS: Final = 64
MAX_QUEUED_CALLS_PER_CALLER: Final = 16
MAX_ARGUMENT_BYTES: Final = 128 * KIB
MAX_ARGUMENT_DEPTH: Final = 12
MAX_ARGUMENT_ENTRIES: Final = 100
"""Entries of one list or object among the arguments of a call; every schema allows fewer."""
MAX_ARGUMENT_CHARS: Final = 16_000
MAX_ALIASES_PER_DOCUMENT: Final = 200
"""Other addresses of a document that are remembered from earlier readings."""
MAX_LINKS_PER_RESULT: Final = 5
MAX_UNAUTHORISED: Final = 10
"""Requests without the token within the window from which on each further one waits for its refusal."""
MAX_TOOL_NAME_CHARS: Final = 64
MAX_INSTRUCTION_BYTES: Final = 1_200
MAX_CLIENT_NAME_CHARS: Final = 80
MAX_CLIENT_LABEL_CHARS: Final = 400
"""Percent-encoded name and version of a client in a session tag."""
SHUTDOWN_SECONDS: Final = 2
"""How long calls under way may take when the endpoint stops."""
HEARTBEAT_SECONDS: Final = 10.0
"""How often the line to an attached bridge carries a sign of life."""

# scratch
SCRATCH_SECONDS: Final = 30 * 60.0
"""A kept passage that nobody asked for this long is forgotten."""
SCRATCH_DEFAULT_MB: Final = 256
SCRATCH_MAX_MB: Final = 4_096
SCRATCH_PASSAGE_BYTES: Final = 8 * MIB
SCRATCH_PASSAGES_PER_SESSION: Final = 4_000
MAX_RESOURCE_BYTES: Final = 64 * KIB
"""A longer text is read up to here; the rest by a tool."""

# texts
MAX_ARGUMENT_CHARS_SHOWN: Final = 60
MAX_DETAIL_CHARS: Final = 600
MAX_REASON_CHARS_SHOWN: Final = 240
MAX_QUOTED_TITLE_CHARS: Final = 60
MAX_HEADING_CHARS_SHOWN: Final = 100
MAX_SUB_QUERY_CHARS_SHOWN: Final = 120
MAX_URL_CHARS_SHOWN: Final = 160

# bridge
BRIDGE_START_SECONDS: Final = 30.0
BRIDGE_MESSAGE_BYTES: Final = 4 * MIB
BRIDGE_CALLS: Final = 256
"""Messages of one client that may be under way at once."""
BRIDGE_DRAIN_SECONDS: Final = 5.0
"""How long replies under way are waited for after the client closed its end."""
BRIDGE_READ_BYTES: Final = 64 * KIB
BRIDGE_REATTACH_SECONDS: Final = 1.0

# command line and clients
INSTANCE_CONNECT_SECONDS: Final = 5.0
CLIENT_EXIT_SECONDS: Final = BRIDGE_DRAIN_SECONDS + 2.0
MAX_LOG_LINE_CHARS: Final = 300
LOW_DISK_BYTES: Final = 1024 * MIB
"""With less room than this on the disk of the data the person is told."""
ROOM_TO_WRITE_BYTES: Final = 4 * MIB
"""Room on a disk that was full from which on the library is opened for writing."""

# desktop
MAX_ACTIVITY_SHOWN: Final = 500
