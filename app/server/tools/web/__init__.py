"""The tools that search the web and read one page."""
