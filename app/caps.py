"""Limits that several modules share or that docs/security.md promises. Other limits are at the head of their module.

Names include the unit. Sizes are in bytes unless the name says otherwise.
"""

from __future__ import annotations

from typing import Final

KIB: Final = 1024
MIB: Final = 1024 * KIB
GIB: Final = 1024 * MIB

# web
MAX_BODY_BYTES: Final = 10 * MIB  # Maximum size of a response body after decompression.
MAX_REDIRECTS: Final = 5
MAX_URL_CHARS: Final = 2_048
MAX_URL_CHARS_IN_ERRORS: Final = 200
FIRST_ADDRESS_SECONDS: Final = 3.0  # Seconds for connecting to a host's first address before the next one is tried.
MAX_ADDRESSES_TRIED: Final = 4
MAX_CONCURRENCY: Final = 16
SERVER_ERROR_PAUSE_SECONDS: Final = (0.2, 0.8)  # Random delay range before the only retry after a server error.
HOST_REQUESTS_PER_SECOND: Final = 1.0  # Pace of automatic fetching per host.
MAX_CRAWL_DELAY_SECONDS: Final = 60.0
MAX_QUIET_SECONDS: Final = 3_600.0
"""Longest delay that a site can request with Retry-After. WebRAG retries after this time."""

# web search
SEARCH_RESULTS: Final = 10
MAX_SEARCH_RESULTS: Final = 50
MAX_SEARCH_QUERIES: Final = 10  # Maximum queries per call, for web searches and for reading pages.
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
MAX_FILE_BYTES: Final = 64 * MIB  # Maximum size of a local file.
MAX_FOLDER_FILES: Final = 20_000
MAX_FOLDER_DEPTH: Final = 24
MAX_NAVIGATION_LINKS: Final = 3_000
MAX_SITEMAPS: Final = 50

# large bodies, read in a separate process
PREPARE_SECONDS: Final = 120.0
"""CPU time of the process. It has low priority, and other programs must not make a file unreadable."""
PREPARE_WALL_FACTOR: Final = 10  # Wall-clock limit of the process, as a multiple of its CPU time.

# images of pages
MAX_PICTURE_BYTES: Final = 8 * MIB  # Maximum size of an image as sent by the site.
MAX_PICTURE_SIDE: Final = 1_600  # Maximum side length in pixels of a stored image.
MAX_KEPT_PICTURE_BYTES: Final = 512 * KIB
"""Maximum size of a stored image. Encoded as text, it stays below the 1 MiB at which some assistants cut a result."""
MAX_PICTURES_KEPT_PER_PAGE: Final = 40
MAX_PAGE_PICTURE_BYTES: Final = 8 * MIB
"""Maximum size of all stored images of a page. The window holds them while it shows the page."""
MIN_PICTURES_MB: Final = 10
MAX_PICTURES_MB: Final = 20_000

# collections and tags
MAX_LABEL_CHARS: Final = 80  # Maximum characters in the name of a collection or a tag.
MAX_COLLECTION_CHARS: Final = 63  # Maximum characters in the name of a collection of a shared library.
MAX_COLLECTIONS: Final = 500
MAX_TAGS: Final = 2_000
MAX_LABELS_PER_PAGE: Final = 50  # Maximum collections and tags of one page.
MAX_PAGES_LABELLED: Final = 100_000  # Maximum pages that one call can add to a collection or tag, or remove from it.
LABELS_SUGGESTED: Final = 3  # Maximum names in the error about an unknown name.

# jobs
MAX_CRAWL_PAGES: Final = 10_000
DEFAULT_CRAWL_PAGES: Final = 200
MAX_CRAWL_DEPTH: Final = 20
DEFAULT_CRAWL_DEPTH: Final = 3
MAX_JOB_ITEMS: Final = 50_000
MAX_JOBS_KEPT: Final = 200  # Maximum finished jobs to keep. The oldest are deleted first.
MAX_CRAWL_LEFT_OUT: Final = 200  # Maximum folders of a site that one crawl can exclude.
MAX_IMPORTED_URLS: Final = 5_000
MAX_IMPORTED_FILES: Final = 1_000

# rendering
RENDER_SECONDS: Final = 20.0
MAX_RENDERED_BYTES: Final = MAX_BODY_BYTES

# folders and their documentation pages
MAX_FOLDER_NAME_CHARS: Final = 60
MAX_DOC_PAGES: Final = 5_000  # Maximum Markdown files of one folder that the documentation tools see.
MAX_DOC_PAGE_BYTES: Final = 4 * MIB
MAX_DOC_QUERY_CHARS: Final = 500
DEFAULT_DOC_RESULTS: Final = 10
MAX_DOC_RESULTS: Final = 50
MAX_DOC_PAGES_LISTED: Final = 300
MAX_DOC_SECTIONS_ASKED: Final = 50

# packages
MAX_LOCK_FILE_BYTES: Final = 32 * MIB
MAX_LOCK_ENTRIES: Final = 20_000
MAX_PROJECT_DEPTH: Final = 3  # Folders below the chosen one that are searched for lock files.
MAX_PROJECTS: Final = 100
MAX_PACKAGE_NAME_CHARS: Final = 300
MAX_PACKAGES_ADDED: Final = 60  # Most packages that one call adds unless it names them.
PACKAGES_DISK_BYTES: Final = 2 * GIB
"""Disk space of all packages, estimated from their text. The least recently asked ones that no project uses are removed first."""
MAX_PACKAGE_PAGES: Final = 3_000
MAX_PACKAGE_BYTES: Final = 64 * MIB  # Most text of one package, and the largest packed artefact.
MAX_PACKAGE_FILE_BYTES: Final = 4 * MIB
MAX_UNPACKED_BYTES: Final = 300 * MIB
MAX_UNPACKED_RATIO: Final = 100
MAX_UNPACKED_MEMBERS: Final = 20_000
MAX_API_SYMBOLS: Final = 20_000

# graph
MAX_ENTITY_NAME_CHARS: Final = 80
MAX_ENTITIES_PER_SECTION: Final = 60
GRAPH_FREQUENCY_COUNTED: Final = 64  # Sections in which an entity occurs are only counted up to this number.
MAX_GRAPH_STARTS: Final = 10
MAX_GRAPH_HOPS: Final = 2
DEFAULT_GRAPH_PAGE: Final = 25
MAX_GRAPH_PAGE: Final = 100
DEFAULT_GRAPH_PATHS: Final = 5
MAX_GRAPH_PATHS: Final = 20
MAX_DEGREE_COUNTED: Final = 1_000

# corpus
BUSY_TIMEOUT_MS: Final = 5_000
READER_CONNECTIONS: Final = 8  # Simultaneous reads of the library. Other reads wait.
READER_WAIT_SECONDS: Final = 60.0  # A read that waits longer than this fails with CorpusBusyError.
USAGE_DAYS: Final = 30
QUESTION_DAYS: Final = 90  # Recorded questions are erased after this many days.
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
MAX_KB_PASSAGES: Final = 25  # Maximum passages per call from which quotes are taken.
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
"""Maximum size of a page sent by a browser: as large as a fetched page, plus its metadata."""
BROWSER_HITS: Final = 5  # Maximum passages of a page that a browser gets for a question.
CLAUDE_CODE_TOKENS: Final = 20_000
UNKNOWN_CLIENT_TOKENS: Final = CLAUDE_CODE_TOKENS
MAX_STATUS_URLS: Final = 100
MAX_CONCURRENT_CALLS: Final = 4
MAX_CONCURRENT_CALLS_PER_CALLER: Final = 3  # Maximum slots of one client. One slot is always left for others.
MAX_QUEUED_CALLS: Final = 64
MAX_QUEUED_CALLS_PER_CALLER: Final = 16
MAX_ARGUMENT_BYTES: Final = 128 * KIB
MAX_ARGUMENT_DEPTH: Final = 12
MAX_ARGUMENT_ENTRIES: Final = 100
"""Maximum entries of a list or object in the arguments of a call. All schemas allow fewer."""
MAX_ARGUMENT_CHARS: Final = 16_000
MAX_ALIASES_PER_DOCUMENT: Final = 200  # Maximum other URLs of a document to remember from earlier fetches.
MAX_LINKS_PER_RESULT: Final = 5
MAX_UNAUTHORISED: Final = 10  # Requests without the token in the time window before further ones are delayed.
MAX_TOOL_NAME_CHARS: Final = 64
MAX_INSTRUCTION_BYTES: Final = 1_200
MAX_CLIENT_NAME_CHARS: Final = 80
MAX_CLIENT_LABEL_CHARS: Final = 400  # Maximum length of a client's percent-encoded name and version in a session tag.
SHUTDOWN_SECONDS: Final = 2  # Seconds for calls in progress when the endpoint stops.
HEARTBEAT_SECONDS: Final = 10.0  # Seconds between heartbeats on the connection to an attached bridge.

# scratch
SCRATCH_SECONDS: Final = 30 * 60.0  # Seconds after which an unused saved passage is deleted.
SCRATCH_DEFAULT_MB: Final = 256
SCRATCH_MAX_MB: Final = 4_096
SCRATCH_PASSAGE_BYTES: Final = 8 * MIB
SCRATCH_PASSAGES_PER_SESSION: Final = 4_000
MAX_RESOURCE_BYTES: Final = 64 * KIB  # Longer texts are cut here; a tool reads the rest.

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
BRIDGE_CALLS: Final = 256  # Maximum simultaneous messages of one client.
BRIDGE_DRAIN_SECONDS: Final = 5.0  # Seconds for pending responses after the client closed its input.
BRIDGE_READ_BYTES: Final = 64 * KIB
BRIDGE_REATTACH_SECONDS: Final = 1.0

# command line and clients
INSTANCE_CONNECT_SECONDS: Final = 5.0
CLIENT_EXIT_SECONDS: Final = BRIDGE_DRAIN_SECONDS + 2.0
MAX_LOG_LINE_CHARS: Final = 300
LOW_DISK_BYTES: Final = 1024 * MIB  # With less free disk space than this, WebRAG warns the user.
ROOM_TO_WRITE_BYTES: Final = 4 * MIB
"""Free disk space needed to open the library for writing again after the disk was full."""

# desktop
MAX_ACTIVITY_SHOWN: Final = 500
