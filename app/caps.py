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
REFETCH_THROTTLE_SECONDS: Final = 30.0
"""A page fetched less than this ago is not asked for again in the same run unless forced."""

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
CHUNK_TOKENS: Final = 220
"""Largest chunk in tokens of the bundled embedding model."""

# files and other formats
MAX_FILE_BYTES: Final = 64 * MIB
"""Largest local file that is read."""
MAX_FOLDER_FILES: Final = 20_000
MAX_FOLDER_DEPTH: Final = 24
MAX_NAVIGATION_LINKS: Final = 3_000
MAX_NAVIGATION_BYTES: Final = MAX_NAVIGATION_LINKS * MAX_URL_CHARS
"""The same links as one list in the corpus, unpacked."""
MAX_SITEMAPS: Final = 50

# large bodies, read in a process of their own
PREPARE_SECONDS: Final = 120.0

# jobs
MAX_CRAWL_PAGES: Final = 10_000
DEFAULT_CRAWL_PAGES: Final = 200
MAX_CRAWL_DEPTH: Final = 20
DEFAULT_CRAWL_DEPTH: Final = 3
TOOL_CRAWL_PAGES: Final = 200
"""Most pages of a crawl that an assistant starts."""
TOOL_CRAWL_DEPTH: Final = 3
MAX_JOB_ITEMS: Final = 50_000
MAX_JOBS_KEPT: Final = 200
"""Ended jobs that are remembered; the oldest go first."""
FAIL_FAST_SHARE: Final = 0.5
STORED_PAGE_BYTES: Final = 40_000
"""What a page takes on disk with its chunks, index and vectors, as long as the library holds too few to tell."""
MAX_CRAWL_LEFT_OUT: Final = 200
"""Folders of a site that one crawl passes over."""
MAX_LOOKS: Final = 12
"""Pages of a list that are looked at before they are read in the background."""
LOOK_BEGINNING_CHARS: Final = 1_200
"""Of the text of a page that is looked at before it is stored."""
LOOK_ROBOTS_SECONDS: Final = 3.0
"""For what a site wishes about such a page; without an answer nothing is said of it."""
"""A preview of a site that asks for a longer pause between requests reads the start page only."""
MAX_IMPORTED_URLS: Final = 5_000
MAX_IMPORTED_FILES: Final = 1_000
TOOL_CRAWL_DEFAULT_PAGES: Final = 50
MAX_JOB_FAILURES_SHOWN: Final = 10
MAX_JOB_LINES_SHOWN: Final = 8
JOB_PROGRESS_SECONDS: Final = 0.5
"""Steps of a job are told no oftener than this."""

# rendering
RENDER_SECONDS: Final = 20.0
MAX_RENDERED_BYTES: Final = MAX_BODY_BYTES

# folders and their documentation pages
MAX_FOLDER_NAME_CHARS: Final = 60
MAX_DOC_PAGES: Final = 5_000
"""Markdown files of one folder that the documentation tools see."""
MAX_DOC_PAGE_BYTES: Final = 4 * MIB
MAX_DOC_SECTIONS: Final = 5_000
DOC_PAGES_AT_ONCE: Final = 200
"""Pages that are written to the index in one transaction."""
DOC_CENTRES_AT_ONCE: Final = 500
DOC_LOOK_SECONDS: Final = 1.0
"""A folder is compared with its index no oftener than this, and for no more than a share of the time."""
DOC_LOOK_SHARE: Final = 0.05
DOC_ANSWER_SECONDS: Final = 5.0
"""A folder whose disk says nothing for this long counts as away."""
DOC_BUILD_SECONDS: Final = 40.0
"""How long a call waits for a folder that is read for the first time."""
MAX_DOC_QUERY_CHARS: Final = 500
DEFAULT_DOC_RESULTS: Final = 10
MAX_DOC_RESULTS: Final = 50
DOC_PASSAGES: Final = 80
"""Passages whose words are compared with those of a question."""
MAX_DOC_PAGES_LISTED: Final = 300
MAX_DOC_SECTIONS_ASKED: Final = 50

# graph
MAX_ENTITY_NAME_CHARS: Final = 80
MAX_ENTITIES_PER_SECTION: Final = 60
MAX_MENTIONS_PER_DOCUMENT: Final = 6_000
GRAPH_SCAN_ROWS: Final = 20_000
"""Most rows that one step looks at to find neighbours in scope."""
GRAPH_FREQUENCY_COUNTED: Final = 64
"""In how many sections an entity stands is not counted beyond this."""
GRAPH_SECTIONS_COMPARED: Final = 80
"""Sections of an entity that are looked at for what stands beside it."""
GRAPH_COMPANIONS: Final = 80
GRAPH_CANDIDATES: Final = 20
"""Candidates that the graph adds to a search."""
MAX_GRAPH_STARTS: Final = 10
MAX_GRAPH_HOPS: Final = 2
DEFAULT_GRAPH_PAGE: Final = 25
MAX_GRAPH_PAGE: Final = 100
DEFAULT_GRAPH_PATHS: Final = 5
MAX_GRAPH_PATHS: Final = 20
MAX_DEGREE_COUNTED: Final = 1_000
GRAPH_SNIPPET_SEARCHED: Final = 2_000
MAX_SNIPPET_CHARS: Final = 200

# embed
EMBED_THREADS: Final = 2
CONTEXT_THREADS: Final = 8
"""Questions that are read behind titles at the same time, of all callers."""

# corpus
BUSY_TIMEOUT_MS: Final = 5_000
PAGES_COPIED_AT_ONCE: Final = 1_024
"""Pages of 8 KiB that a backup copies between two looks at whether it is to end."""
BYTES_COPIED_AT_ONCE: Final = 4 * MIB
COMPACT_ROOM: Final = 2.2
"""Free space that compacting needs at most, in sizes of the file: a copy, and the log that it goes through."""
MAX_ACTIVITY_ROWS: Final = 20_000
MAX_USAGE_ROWS: Final = 1_000
"""Days and assistants that calls are added up for."""
USAGE_DAYS: Final = 30
MAX_CHANGE_ROWS: Final = 50_000
"""Changes of vectors that stay in the log; a process further behind reads all codes again."""
EXACT_SCAN_CHUNKS: Final = 2_000
"""A search restricted to no more chunks than this compares every vector."""
MAX_PROBLEMS_PER_CHECK: Final = 20
DOCUMENTS_REMOVED_AT_ONCE: Final = 500
"""Documents of a removed folder that are deleted in one transaction."""
MAX_ALIASES_PER_DOCUMENT: Final = 200
"""Other addresses of a document that are remembered from earlier readings."""

# retrieval
MAX_QUERY_CHARS: Final = 2_000
MAX_QUERY_TERMS: Final = 64
MAX_EXACT_NAMES: Final = 16
CANDIDATES_PER_RETRIEVER: Final = 100
RERANK_CANDIDATES: Final = 80
MAX_TOP_K: Final = 50
DEFAULT_TOP_K: Final = 20
MAX_SUB_QUERIES: Final = 4
MAX_LINKS_NAMED: Final = 160
"""Links whose anchor and address are looked at for their meaning; those with most words of the question come first."""
MAX_LINKS_IN_CONTEXT: Final = 40
"""The best of them are looked at with the line around them too."""
MAX_LINK_VECTORS: Final = 2_000

# knowledge base
DEFAULT_KB_RESULTS: Final = 5
MAX_KB_PAGE: Final = 25
DEFAULT_PREVIEW_CHARS: Final = 280
DEFAULT_PER_DOCUMENT: Final = 1
MAX_PREVIEW_BYTES_PER_PAGE: Final = 32 * KIB
"""What does not fit is on the next page of candidates."""
MAX_SEARCHES_REMEMBERED: Final = 64
"""Searches whose order is kept, so that a cursor goes on in the same one."""
MAX_FORMS_REMEMBERED: Final = 4_096
"""Passages whose form was rated for one kind of question, with their texts."""
MAX_CHUNK_UNITS_REMEMBERED: Final = 1_024
"""Chunks whose sentences are kept, with their texts."""
DEFAULT_EXCERPT_TOKENS: Final = 300
MIN_EXCERPT_TOKENS: Final = 10
MAX_EXCERPT_TOKENS: Final = 800
DEFAULT_AROUND_TOKENS: Final = 150
DEFAULT_QUOTES: Final = 6
MAX_QUOTES: Final = 12
DEFAULT_QUOTE_TOKENS: Final = 80
MIN_QUOTE_TOKENS: Final = 10
MAX_QUOTE_CHARS: Final = 500
DEFAULT_CONTEXT_TOKENS: Final = 20
MAX_KB_PASSAGES: Final = 25
"""Passages that quotes are taken from in one call."""
MAX_PASSAGE_ID_CHARS: Final = 200
VERIFY_SECONDS: Final = 3.0
"""A quote that is not found within this time is reported with what was looked at."""
VERIFY_DOCUMENTS: Final = 12
"""Pages of the corpus in which a quote is looked for word by word."""
VERIFY_WINDOWS: Final = 40
"""Places of one page that are compared with a quote."""
MAX_DIFFERENCE_CHARS: Final = 400

# orchestration
MAX_URLS_PER_CALL: Final = 10
MAX_EXPANSION_BUDGET: Final = 10
MAX_LINKS_PER_ITERATION: Final = 8
"""Pages of the first round: of 76 answers one link away 68 stood on one of them."""
MAX_LINKS_PER_LATER_ITERATION: Final = 4
"""More than a third of what the first round missed stands on the next four."""
EVIDENCE_TOKENS: Final = 2_220
"""Evidence of one answer; sources, quotes and statistics come on top."""
FULL_CONTEXT_TOKENS: Final = 1_600
"""Pages that together hold no more than this are returned whole."""
MAX_CITATIONS: Final = 3
MAX_IMAGES_SHOWN: Final = 8

# server
MAX_REQUEST_BYTES: Final = 1 * MIB
MAX_RESPONSE_BYTES: Final = 64 * KIB
MAX_KNOWN_CONTEXT_CHARS: Final = 8_000
MAX_CONSTRAINTS: Final = 10
MAX_RESPONSE_CHARS: Final = 48_000
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
QUICK_CHECK_SECONDS: Final = 10.0
QUICK_CHECK_STEPS: Final = 100_000
"""Steps of SQLite between two looks at the clock."""
LOW_DISK_BYTES: Final = 1024 * MIB
"""With less room than this on the disk of the data the person is told."""

# desktop
MAX_ACTIVITY_SHOWN: Final = 500
MAX_TRAIL_PAGES: Final = 200
MAX_TRAIL_PASSAGES: Final = 40
"""Passages of one page that a call is shown to rest on."""
LINKS_PASSED_OVER: Final = 6
"""Links that were looked at and not followed, shown beside those that were."""
