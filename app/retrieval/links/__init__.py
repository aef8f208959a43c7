"""Which linked pages are worth reading next."""
