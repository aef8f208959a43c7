"""Parts of make_screenshots.py."""
