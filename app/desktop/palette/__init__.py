"""The command palette (Ctrl+K): commands, stored pages by title, passages and recently opened entries."""
