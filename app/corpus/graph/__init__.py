"""The graph over the corpus: documents, sections and entities as nodes; edges follow from what is stored."""
