"""Walks over the graph of the corpus: neighbours, paths, and what they add to a search."""
