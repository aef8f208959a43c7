"""What tools found and did not send: passages kept for a while, each for the one who asked."""
