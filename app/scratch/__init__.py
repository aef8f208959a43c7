"""Passages that tools found and did not send, cached for a while for the one who asked."""
