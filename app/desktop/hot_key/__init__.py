"""A key of the whole desktop: what can be a key, how each system gives it, and following the setting."""
