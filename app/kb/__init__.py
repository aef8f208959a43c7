"""The knowledge base as tools see it: short candidates, bounded excerpts, quotes; never whole sections."""
