"""Write an element tree as clean Markdown with exact offsets: one module per family of elements."""
