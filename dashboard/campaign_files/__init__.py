"""A campaign as a file: everything that staff can set, as one YAML file that is written, checked and read here."""
