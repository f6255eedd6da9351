"""Photographs of ticked sheets, made: the real page, ticked by one of many hands, bent, lit and taken by a camera.

hands       how people tick, cancel, rub out and write
camera      paper that is bent, a table under it, light, a lens, JPEG
made        a page with what is ticked on it, from a seed: the picture, and what is true of it
"""
