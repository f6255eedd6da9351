"""Sheets as PDF, or as HTML where the machine lacks the libraries: pages, fonts, files, store, jobs."""
