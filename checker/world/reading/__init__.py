"""The world of consumers that read across splits and merges, past holes and expired ancestors."""
