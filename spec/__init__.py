"""What must hold: the chapters, the nouns, the laws."""
