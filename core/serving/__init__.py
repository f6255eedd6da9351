"""The processes of a running server, and the addresses it is reached by."""
