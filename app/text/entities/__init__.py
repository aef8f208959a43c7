"""What a document is about and speaks of: names of code, headings, defined terms, the words of links."""
