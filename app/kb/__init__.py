"""The knowledge base for tools: short candidates, limited excerpts and quotes, never whole sections."""
