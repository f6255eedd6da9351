"""Background jobs: anything that takes longer than a page may. They show progress and can be stopped."""
