"""Match files: records that anyone can replay and verify, saves to go on from, and the seeds in them checked."""
