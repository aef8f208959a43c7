"""Element tree to clean Markdown with exact offsets: one module per family of elements."""
