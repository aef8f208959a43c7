"""Search results and passages of one page as text and as data."""
