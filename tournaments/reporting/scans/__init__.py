"""Photographs of ticked sheets, from the sending to the taking in; what is on a picture tells `reporting.reader`.

stored      a reading as it is kept, and made again
words       what is said of a picture, and of a line that is asked
sending     a picture kept as it comes, and its reading asked for
reading_job the long work: pictures that wait are read, two at a time where there are two cores
pieces      each line's piece of the picture, cut once
merging     a table's pictures and what was reported meanwhile, put together line by line
checking    what was answered on a page: what is still to be looked at
taking      taking a table in, whole or not at all; and back
trust       how many sheets of a club were read without a wrong line
fitting     the reader's numbers, fitted anew on what people have answered
page, sheets, captains     the pages
"""
