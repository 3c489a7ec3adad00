"""What a user downloads: the files of a release by name, made from the files of a build."""
