"""The small window that answers from anywhere: a question, its hits, the page with the passage marked."""
