"""The real product, killed, stopped and started again."""
