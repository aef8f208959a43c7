"""Folders of local files: what is taken, how it is kept in step with the disk."""
