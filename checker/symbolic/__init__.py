"""Searches in which integers are unknown: one state stands for all batches and bytes."""
