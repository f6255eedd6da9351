"""The journal: a second copy of all rows, written within a second to another disk or machine as lines of text.

Triggers in the database record each changed row (`triggers`), by whatever client; a worker process polls for
such records four times a second, queries these rows in one snapshot and writes them as one step (`writer`). A book
begins with all that there is, so that it can be brought back without anything else (`restore`); after it comes a file
a day. Lines are chained by hashes (`format`), each file's first line is its header.

No report waits for it: where the disk or the machine is away, the records remain until it is back.
"""
