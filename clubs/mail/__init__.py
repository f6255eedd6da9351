"""E-mail: queued in the transaction of what it reports, sent in the background, retried, with one-click unsubscribe.

Call `outbox.enqueue_letter` to send a letter; its kinds are listed in `settings.LETTER_KINDS`.
"""
