"""The parts of make_screenshots.py."""
