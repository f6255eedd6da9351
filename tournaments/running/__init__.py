"""The program on a machine: serving, its addresses, its backups."""
