"""PUSH: a phone is told where its player sits next, and when a round is closed; over https, and only who has asked.

Written down in the transaction of what it tells (`outbox`), sent beside the pages (`sending`), enciphered for the phone
alone (`sealing`): a push service sees to which phone, how long, and nothing of what.
"""
