"""WebRAG Desktop: grounded, cited answers from web pages for every assistant on the machine."""

__version__ = "0.1.0"
