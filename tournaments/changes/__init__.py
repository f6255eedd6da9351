"""Steps of every change: lock, write log and hash chain, bump versions, queue push messages."""
