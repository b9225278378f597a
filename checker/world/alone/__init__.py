"""Which change each law alone notices: what would go unseen if that law were struck out."""
