"""Tables: read and write as files of spreadsheets, shown on pages."""
