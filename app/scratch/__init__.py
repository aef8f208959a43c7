"""A cache of passages that tools found but did not return, kept for some time for the client that asked."""
