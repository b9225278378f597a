"""Small models with known counts, to hold the search against."""
