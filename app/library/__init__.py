"""The protocol that every page store implements, and the records that it exchanges with callers."""
