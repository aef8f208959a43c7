"""The second, finer look at candidates, and what it says about the question as a whole."""
