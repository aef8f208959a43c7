"""Sites and lists of pages: what belongs to a crawl, where its pages are found, how they are read."""
