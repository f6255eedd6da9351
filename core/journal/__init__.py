"""The journal: all that is stored, written within a second to another disk or machine as plain lines.

The database notes each row that changes (`triggers`), whoever changes it; a process beside the pages looks for
such notes four times a second, reads these rows as of one moment and writes them as one step (`writer`). A book
begins with all that there is, so that it can be brought back without anything else (`restore`); after it comes a file
a day. Lines are chained by hashes (`format`), each file says in its first line how it is read.

Nothing of it is in the way of a report: where the disk or the machine is away, notes are kept until it is back.
"""
