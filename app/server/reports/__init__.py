"""Jobs and kept passages as tools and the command line tell of them."""
