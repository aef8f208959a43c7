"""Search the web: one protocol, several providers."""
