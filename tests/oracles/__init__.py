"""What the tests of the chapters share: values, a tiny cluster and plain models."""
