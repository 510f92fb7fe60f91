"""What is wrong with an installation, in sentences with the way out: `manage.py doctor`.

A check looks at one subject. It writes nothing, sends no mail and ends in time. It says only what it has seen;
one that could not look says so.
"""
