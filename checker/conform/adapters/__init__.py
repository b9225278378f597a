"""Adapters and skeletons that ship: files to copy, which import nothing of this project."""
