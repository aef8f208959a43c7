"""Walks over the graph of the corpus: neighbors, paths, and additions to a search."""
