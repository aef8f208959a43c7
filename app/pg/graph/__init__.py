"""The graph over a shared library: documents, sections and entities as nodes; edges follow from what is stored."""
