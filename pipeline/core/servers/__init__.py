"""What clients of servers share.

- `addresses`: check the address of a server
- `retry`: wait and try again
- `secrets`: tokens and keys
"""
