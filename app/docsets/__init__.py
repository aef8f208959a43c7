"""Folders of documentation as trees of pages: search, lists, and reading by page and section."""
