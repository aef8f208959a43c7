"""Reading from the web: addresses, policies, requests, search."""
