"""PDF files: text in reading order, in paragraphs, with page numbers."""
