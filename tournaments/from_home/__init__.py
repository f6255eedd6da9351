"""Entering from home: asking for a place, the yes of everybody concerned, the waiting list, and giving places."""
