"""Folders of local files: which files are read, and how they are kept in sync with the disk."""
