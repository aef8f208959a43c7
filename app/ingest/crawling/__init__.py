"""Sites and lists of pages: the scope of a crawl, finding its pages, and reading them."""
