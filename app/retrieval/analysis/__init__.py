"""What a question asks for: its parts, its kind, its names, and the form of passage that answers it."""
