"""The tools of the graph."""
