"""The checker of the English in documentation, code and window texts: rules, the texts they apply to, and their limits."""
