"""Office files and e-books: their XML becomes an HTML tree for the writer of web pages."""
