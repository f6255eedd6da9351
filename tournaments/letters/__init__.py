"""LETTERS OF EVENINGS: the seat the day before, results when they are final, to who has agreed to them.

Nothing of it is done where the evening is led: the process beside the pages looks what is due, and posts it once.
"""
