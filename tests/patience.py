"""How long tests wait for what another process or thread does."""

# Seconds. No test measures the machine: who has waited so long has found a fault, who passes ends long before.
PATIENCE = 300
