"""Registration from home: applications, decisions, the waiting list, personal links."""
