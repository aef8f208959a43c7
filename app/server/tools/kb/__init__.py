"""The tools of the knowledge base."""
