"""Photographs of ticked sheets, from upload to import; `reporting.reader` does the recognition.

stored      serialized form of a reading
text        texts about a picture, and about a line in doubt
upload      pictures stored as they come, and queued for reading
reading_job the job that reads waiting pictures, two at a time on two cores
page        a table's pictures merged with its reports line by line; answers checked; taken in as a whole, and undone
merging     merging, checking, and how many sheets of a club were read without a wrong line
fitting     the reader's weights trained again with a club's corrections
views       the pages
"""
