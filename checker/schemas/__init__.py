"""The published JSON Schemas of what the commands write."""
