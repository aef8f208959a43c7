"""The search box over the window (Ctrl+K): commands, stored pages by title, passages, what was opened lately."""
