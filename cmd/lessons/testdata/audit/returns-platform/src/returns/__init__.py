"""Returns: from shop events to reports."""
