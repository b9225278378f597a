"""The world in which every replica of a segment is a store of its own, and coordinators work."""
