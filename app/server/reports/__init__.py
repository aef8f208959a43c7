"""Jobs, kept passages and the token ledger as tools and the command line tell of them."""
