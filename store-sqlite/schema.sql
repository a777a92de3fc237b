-- What the migrations make, by name. Rewritten by a test.

CREATE TABLE api_key (
    id         TEXT    PRIMARY KEY,
    tenant     TEXT    NOT NULL,
    name       TEXT    NOT NULL,
    role       TEXT    NOT NULL,
    hash       TEXT    NOT NULL,
    created_at INTEGER NOT NULL,
    expires_at INTEGER,
    revoked_at INTEGER
) STRICT, WITHOUT ROWID;

CREATE TABLE claimed_key (
    tenant     TEXT NOT NULL,
    scope      TEXT NOT NULL,
    within     TEXT NOT NULL,
    value      TEXT NOT NULL,
    holder     BLOB NOT NULL,
    detail     TEXT NOT NULL,
    expires_at INTEGER,
    PRIMARY KEY (tenant, scope, within, value)
) STRICT, WITHOUT ROWID;

CREATE INDEX claimed_key_by_expiry ON claimed_key (expires_at) WHERE expires_at IS NOT NULL;

CREATE INDEX claimed_key_by_holder ON claimed_key (tenant, holder) WHERE expires_at IS NULL;

CREATE TABLE clock (
    one    INTEGER PRIMARY KEY CHECK (one = 1),
    latest INTEGER NOT NULL
, highest INTEGER NOT NULL DEFAULT 0) STRICT;

CREATE TABLE event (
    row   INTEGER PRIMARY KEY,
    run   INTEGER NOT NULL,
    seq   INTEGER NOT NULL,
    at    INTEGER NOT NULL,
    until INTEGER,
    event TEXT    NOT NULL
) STRICT;

CREATE UNIQUE INDEX event_by_run ON event (run, seq);

CREATE TABLE lane (
    process   BLOB    NOT NULL,
    number    INTEGER NOT NULL,
    newest    INTEGER NOT NULL,
    last_used INTEGER NOT NULL,
    PRIMARY KEY (process, number)
) STRICT, WITHOUT ROWID;

CREATE TABLE lane_batch (
    process  BLOB    NOT NULL,
    lane     INTEGER NOT NULL,
    number   INTEGER NOT NULL,
    at       INTEGER NOT NULL,
    commits  INTEGER NOT NULL,
    outcomes BLOB    NOT NULL,
    PRIMARY KEY (process, lane, number)
) STRICT, WITHOUT ROWID;

CREATE INDEX lane_batch_by_age ON lane_batch (at);

CREATE TABLE message (
    row                INTEGER PRIMARY KEY,
    tenant             TEXT    NOT NULL,
    id                 BLOB    NOT NULL,
    queue              INTEGER NOT NULL,
    blocked            INTEGER NOT NULL DEFAULT 0,
    ready_at           INTEGER NOT NULL,
    expires_at         INTEGER NOT NULL,
    sent_at            INTEGER NOT NULL,
    token              BLOB    NOT NULL DEFAULT (zeroblob(16)),
    lease_nanos        INTEGER NOT NULL,
    deliveries         INTEGER NOT NULL DEFAULT 0,
    earlier_deliveries INTEGER NOT NULL DEFAULT 0,
    first_delivered    INTEGER NOT NULL DEFAULT -9223372036854775808,
    last_delivered     INTEGER NOT NULL DEFAULT -9223372036854775808,
    group_key          TEXT,
    group_seq          INTEGER NOT NULL DEFAULT 0,
    headers            TEXT,
    body               TEXT    NOT NULL,
    last_error         TEXT,
    dead_origin        TEXT,
    dead_reason        TEXT,
    dead_at            INTEGER,
    dead_deliveries    INTEGER
) STRICT;

CREATE INDEX message_by_expiry ON message (expires_at);

CREATE INDEX message_by_group ON message (queue, group_key, group_seq) WHERE group_seq > 0;

CREATE UNIQUE INDEX message_by_id ON message (id, tenant);

CREATE INDEX message_by_ready ON message (queue, blocked, ready_at, id);

CREATE TABLE queue (
    id                           INTEGER PRIMARY KEY,
    tenant                       TEXT    NOT NULL,
    name                         TEXT    NOT NULL,
    visibility_millis            INTEGER NOT NULL,
    retries                      INTEGER NOT NULL,
    dead_letters                 INTEGER NOT NULL,
    retention_millis             INTEGER NOT NULL,
    dead_letter_retention_millis INTEGER NOT NULL,
    max_delay_millis             INTEGER NOT NULL,
    came_in                      INTEGER NOT NULL DEFAULT 0,
    went_out                     INTEGER NOT NULL DEFAULT 0,
    retried                      INTEGER NOT NULL DEFAULT 0,
    dead_lettered                INTEGER NOT NULL DEFAULT 0,
    expired                      INTEGER NOT NULL DEFAULT 0,
    UNIQUE (tenant, name)
) STRICT;

CREATE TABLE queue_due (
    queue   INTEGER NOT NULL,
    slot    INTEGER NOT NULL,
    delayed INTEGER NOT NULL,
    leased  INTEGER NOT NULL,
    PRIMARY KEY (queue, slot)
) STRICT, WITHOUT ROWID;

CREATE INDEX queue_due_by_slot ON queue_due (slot);

CREATE TABLE queue_group (
    queue     INTEGER NOT NULL,
    group_key TEXT    NOT NULL,
    newest    INTEGER NOT NULL,
    PRIMARY KEY (queue, group_key)
) STRICT, WITHOUT ROWID;

CREATE TABLE request (
    tenant     TEXT    NOT NULL,
    id         BLOB    NOT NULL,
    noter      BLOB    NOT NULL,
    digest     TEXT    NOT NULL,
    noted_at   INTEGER NOT NULL,
    status     INTEGER,
    media_type TEXT,
    body       TEXT,
    PRIMARY KEY (id, tenant)
) STRICT, WITHOUT ROWID;

CREATE INDEX request_by_age ON request (noted_at);

CREATE TABLE retired_run (
    row    INTEGER PRIMARY KEY,
    tenant TEXT    NOT NULL,
    id     BLOB
) STRICT;

CREATE INDEX retired_run_by_id ON retired_run (id, tenant) WHERE id IS NOT NULL;

CREATE TABLE run (
    row             INTEGER PRIMARY KEY,
    tenant          TEXT    NOT NULL,
    id              BLOB    NOT NULL,
    workflow        TEXT    NOT NULL,
    version_named   INTEGER,
    version         INTEGER,
    kind            TEXT,
    status          TEXT    NOT NULL,
    input           TEXT    NOT NULL,
    writes          TEXT,
    error           TEXT,
    idempotency_key TEXT,
    workflow_id     TEXT,
    parent          BLOB,
    tags            TEXT,
    retention_days  INTEGER NOT NULL,
    wakes           INTEGER NOT NULL DEFAULT 0,
    deadline        INTEGER,
    started_at      INTEGER NOT NULL,
    completed_at    INTEGER,
    retires_at      INTEGER
) STRICT;

CREATE INDEX run_by_deadline ON run (tenant, deadline, id) WHERE status = 'running' AND deadline IS NOT NULL;

CREATE INDEX run_by_end ON run (tenant, workflow, status, completed_at) WHERE completed_at IS NOT NULL;

CREATE UNIQUE INDEX run_by_id ON run (id, tenant);

CREATE INDEX run_by_retirement ON run (retires_at) WHERE retires_at IS NOT NULL;

CREATE INDEX run_by_start ON run (tenant, started_at);

CREATE INDEX run_by_workflow ON run (tenant, workflow, started_at);

CREATE TABLE run_count (
    tenant   TEXT    NOT NULL,
    workflow TEXT    NOT NULL,
    status   TEXT    NOT NULL,
    runs     INTEGER NOT NULL,
    PRIMARY KEY (tenant, workflow, status)
) STRICT, WITHOUT ROWID;

CREATE TABLE run_message (
    tenant        TEXT    NOT NULL,
    run           BLOB    NOT NULL,
    queue         TEXT    NOT NULL,
    ready_at      INTEGER NOT NULL,
    token         BLOB    NOT NULL DEFAULT (zeroblob(16)),
    lease_nanos   INTEGER NOT NULL DEFAULT 0,
    lapses        INTEGER NOT NULL DEFAULT 0,
    leased_at_seq INTEGER NOT NULL DEFAULT 0,
    wake_on       TEXT, remote INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (run, tenant)
) STRICT, WITHOUT ROWID;

CREATE INDEX run_message_by_ready ON run_message (tenant, queue, ready_at, run);

CREATE INDEX run_parked ON run (tenant, workflow, started_at) WHERE status = 'parked';

CREATE TABLE run_tag (
    tenant     TEXT    NOT NULL,
    name       TEXT    NOT NULL,
    value      TEXT    NOT NULL,
    started_at INTEGER NOT NULL,
    run        BLOB    NOT NULL,
    PRIMARY KEY (tenant, name, value, started_at, run)
) STRICT, WITHOUT ROWID;

CREATE TABLE signal (
    tenant  TEXT    NOT NULL,
    run     BLOB    NOT NULL,
    number  INTEGER NOT NULL,
    event   TEXT    NOT NULL,
    payload TEXT    NOT NULL,
    at      INTEGER NOT NULL,
    PRIMARY KEY (tenant, run, number)
) STRICT, WITHOUT ROWID;

CREATE TABLE worker (
    tenant      TEXT    NOT NULL,
    process     BLOB    NOT NULL,
    name        TEXT    NOT NULL,
    served      TEXT    NOT NULL,
    concurrency INTEGER NOT NULL,
    since       INTEGER NOT NULL,
    until       INTEGER NOT NULL,
    PRIMARY KEY (tenant, process)
) STRICT, WITHOUT ROWID;
