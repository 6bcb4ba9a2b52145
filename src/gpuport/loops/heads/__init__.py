"""What a ``for`` runs over, as ranges of whole numbers."""
