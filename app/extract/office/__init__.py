"""Office files and e-books as Pages: their XML becomes an HTML tree, which the writer of web pages writes."""
