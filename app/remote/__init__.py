"""Shared libraries that this desktop has joined: over HTTPS, signed in as a user."""
