"""Where the vehicle believes it is, from what its instruments say."""
