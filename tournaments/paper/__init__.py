"""Paper: score sheets, seat plans and standings as PDF, A4, legible in black and white.

Modules in the order of production:

    kinds, printing              kinds of sheets, and the jobs that make their files in the background
    print_page, printed          the desk's page, and tables that changed since they were printed
    page, names                  a page (template and context), and text fitted to its room
    score, score_grid, ticked    score sheets, their lines drawn once, and those with tick boxes (tick_drawing)
    seat_plans, ranking, …       pages of the other kinds

Nothing below the pages depends on a request: language and the base URL of QR codes are parameters.
"""
