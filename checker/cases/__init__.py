"""Cases: runs that are written down, read by one parser, and run against reference and laws."""
