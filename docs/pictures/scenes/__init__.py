"""What is shown in the pictures, by page of the window."""
