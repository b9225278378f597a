"""The specification as a site that needs no network and no server."""
