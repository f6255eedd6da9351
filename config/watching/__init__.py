"""What is told to whoever looks after a server: figures to a program, slow pages and errors as they happen."""
