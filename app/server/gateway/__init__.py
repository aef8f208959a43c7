"""Who may come in, and who has left."""
