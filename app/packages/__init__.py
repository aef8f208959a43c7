"""Packages that projects use: which versions, and what their copies say about themselves. Reads files only; nothing of a package runs."""
