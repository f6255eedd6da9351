"""LETTERS: posted in the transaction of what they tell, sent beside the pages, tried again, and stopped with one click.

Whoever has something to tell calls `posting.post`; what kinds there are says `settings.LETTER_KINDS`.
"""
