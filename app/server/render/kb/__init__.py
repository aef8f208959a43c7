"""What the knowledge base answers, as text and as data."""
