"""Folders of Markdown files as trees of pages: found, listed, read page by page and section by section."""
