"""Monitoring: health, metrics, logs, and the figures behind them."""
