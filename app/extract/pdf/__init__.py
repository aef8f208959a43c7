"""PDF files: text in reading order, in paragraphs, with the page of everything."""
