"""Running background jobs: the queue, one run, its progress and when it gives up."""
