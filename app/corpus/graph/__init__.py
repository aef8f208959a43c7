"""The graph over the corpus: documents, sections and entities are nodes; edges are derived from stored data."""
