"""Element tree to clean Markdown with exact offsets: one small module per family of elements."""
