"""What the addresses of a tournament at the desk begin with, from the whole of it down to one deal."""

DESK = "desk/t/<str:code>/"
ROUND = f"{DESK}round/<int:number>/"
TABLE = f"{DESK}round/<int:round_number>/table/<int:number>/"
DEAL = f"{TABLE}deal/<int:deal>/"
