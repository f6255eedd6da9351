"""What every change does: lock, write log and hash chain, bump versions, queue push messages."""
