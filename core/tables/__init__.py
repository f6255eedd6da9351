"""Tables: parse and write spreadsheet files, render on pages."""
