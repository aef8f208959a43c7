"""How messages arrive: Streamable HTTP and standard input."""
