"""Read the web: addresses, policies, requests, search."""
