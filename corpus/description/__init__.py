"""What a release says about itself: the dataset card for people, Croissant metadata for programs."""
