"""A public set of questions about documentation sites from Debian packages. README.md describes how to write and run it."""
