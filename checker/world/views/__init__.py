"""Frontends and their cached views: what they command, what they read, what they replay."""
