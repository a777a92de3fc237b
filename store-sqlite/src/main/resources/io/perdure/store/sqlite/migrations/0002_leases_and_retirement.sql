-- Whether the lease of a run belongs to a remote worker (1), which outlives the process that it asked, or to that process itself (0).
ALTER TABLE run_message ADD COLUMN remote INTEGER NOT NULL DEFAULT 0;

-- Whose leases these are is not known: none is taken from a worker that may be alive.
UPDATE run_message SET remote = 1 WHERE token <> zeroblob(16);

-- Runs that were removed and left rows that are removed bit by bit: events of row run, and the mailbox and keys of run id, which is
-- null once those are gone. No run gets the number of a row that is here.
CREATE TABLE retired_run (
    row    INTEGER PRIMARY KEY,
    tenant TEXT    NOT NULL,
    id     BLOB
) STRICT;

CREATE INDEX retired_run_by_id ON retired_run (id, tenant) WHERE id IS NOT NULL;

-- The latest time of all. After the clock went back and leases were repaired, "latest" goes on from what the clock reads, and this stays.
ALTER TABLE clock ADD COLUMN highest INTEGER NOT NULL DEFAULT 0;

UPDATE clock SET highest = latest;
