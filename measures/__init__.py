"""The science of compression: NumPy in, NumPy out, no web application, no clock, no global random state."""
