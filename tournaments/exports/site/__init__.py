"""THE HALL AS A FOLDER: its pages as files that need no server, made anew where something has changed."""
