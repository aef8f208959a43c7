"""From ranked chunks to what is shown: coherent passages that are exact spans of a page."""
