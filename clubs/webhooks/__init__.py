"""WEBHOOKS: addresses of others are told what happens at a club's evenings, signed, until they have taken it."""
