"""An evening as it went: the race for the lead, what was declared, and what people talk about afterwards."""
