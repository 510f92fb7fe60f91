"""What is wrong with an installation, in sentences with the way out: `manage.py doctor`.

Each module looks at one subject. A check writes nothing, sends no mail and ends in time. It says only what it has seen;
one that could not look says so.
"""
