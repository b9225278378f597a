"""The world of frontends that split and merge ranges while others go on writing."""
