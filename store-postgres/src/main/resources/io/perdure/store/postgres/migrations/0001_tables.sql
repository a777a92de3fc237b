-- works with releases that know migration 1
--
-- Times are microseconds since 1970, leases and delays microseconds too. Values are JSON text, kept to the letter: jsonb
-- would reorder them and refuse \u0000. Tenant is part of every key. Keys are compared by their bytes, COLLATE "C": quicker, and
-- no index depends on an operating system's idea of an alphabet. No foreign keys: a hot row that others refer to would be locked
-- by each of them.

-- Queues of users and of their dead letters.
CREATE TABLE perdure.queue (
    id                           bigint  GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    tenant                       text COLLATE "C" NOT NULL,
    name                         text COLLATE "C" NOT NULL,
    visibility_millis            bigint  NOT NULL,
    retries                      integer NOT NULL,
    dead_letters                 boolean NOT NULL,
    retention_millis             bigint  NOT NULL,
    dead_letter_retention_millis bigint  NOT NULL,
    max_delay_millis             bigint  NOT NULL,
    UNIQUE (tenant, name)
);

-- What went through a queue. Every lane has rows of its own, so that no two flushes wait for one; those below 0 are everybody
-- else's, by the number of their backend. Lane 0 takes over what a lane leaves behind.
CREATE TABLE perdure.queue_count (
    queue         bigint NOT NULL,
    lane          bigint NOT NULL,
    came_in       bigint NOT NULL DEFAULT 0,
    went_out      bigint NOT NULL DEFAULT 0,
    retried       bigint NOT NULL DEFAULT 0,
    dead_lettered bigint NOT NULL DEFAULT 0,
    expired       bigint NOT NULL DEFAULT 0,
    PRIMARY KEY (queue, lane)
) WITH (fillfactor = 20, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 10000);

-- The calendar of a queue: how many messages wait for a time, by the slot it falls into, ready_at >> bits. Each is entered twice, in a
-- slot of 22 bits, which is 4.2 seconds, and in one of 28, which is 64 of those: half a day is 161 rows for a lane and not 10,300. A
-- message is counted iff it has a token, then among the leased, or iff ready_at is not sent_at, then among the delayed.
CREATE TABLE perdure.queue_due (
    queue   bigint NOT NULL,
    bits    smallint NOT NULL,
    slot    bigint NOT NULL,
    lane    bigint NOT NULL,
    delayed bigint NOT NULL,
    leased  bigint NOT NULL,
    PRIMARY KEY (queue, bits, slot, lane)
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 10000);

-- Messages of users. ready_at is when it may be delivered; while it is leased, when the lease ends. So one index leads to
-- everything that may be delivered, to what comes due next, and to leases that ran out; taking a lease costs an entry
-- there, which measured no more than keeping leases out of it and having to step over them. What waits behind another one of its
-- group is blocked, and lies in a part of that index that no receive looks at.
CREATE TABLE perdure.message (
    tenant             text COLLATE "C" NOT NULL,
    id                 uuid    NOT NULL,
    queue              bigint  NOT NULL,
    ready_at           bigint  NOT NULL,
    expires_at         bigint  NOT NULL,
    sent_at            bigint  NOT NULL,
    token              uuid,
    lease_micros       bigint  NOT NULL DEFAULT 0,
    deliveries         integer NOT NULL DEFAULT 0,
    earlier_deliveries integer NOT NULL DEFAULT 0,
    group_key          text COLLATE "C",
    group_seq          bigint  NOT NULL DEFAULT 0,
    blocked            boolean NOT NULL DEFAULT false,
    first_delivered    bigint,
    last_delivered     bigint,
    headers            text,
    body               text    NOT NULL,
    last_error         text,
    dead_origin        text,
    dead_reason        text,
    dead_at            bigint,
    dead_deliveries    integer
) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 20000,
        autovacuum_vacuum_insert_scale_factor = 0.2, autovacuum_analyze_scale_factor = 0.2,
        autovacuum_vacuum_cost_delay = 0);

CREATE UNIQUE INDEX message_by_id ON perdure.message (id, tenant);
CREATE INDEX message_by_ready ON perdure.message (queue, blocked, ready_at, id);
CREATE INDEX message_by_expiry ON perdure.message (expires_at);
CREATE INDEX message_by_group ON perdure.message (queue, group_key, group_seq) WHERE group_seq > 0;

-- The newest number of each FIFO group that has messages. Its row lock is what makes commit order the group's order.
CREATE TABLE perdure.queue_group (
    queue     bigint NOT NULL,
    group_key text COLLATE "C" NOT NULL,
    newest    bigint NOT NULL,
    PRIMARY KEY (queue, group_key)
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 10000);

-- Keys that belong to one run or message at a time: idempotency keys, workflow ids, deduplication ids.
CREATE TABLE perdure.claimed_key (
    tenant     text COLLATE "C" NOT NULL,
    scope      text COLLATE "C" NOT NULL,
    within     text COLLATE "C" NOT NULL,
    value      text COLLATE "C" NOT NULL,
    holder     uuid NOT NULL,
    detail     text NOT NULL,
    expires_at bigint,
    PRIMARY KEY (tenant, scope, within, value)
) WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 10000);

CREATE INDEX claimed_key_by_holder ON perdure.claimed_key (tenant, holder) WHERE expires_at IS NULL;
CREATE INDEX claimed_key_by_expiry ON perdure.claimed_key (expires_at) WHERE expires_at IS NOT NULL;

-- Runs. The event 0 of a history, RunCreated, lives here. What changes is in no index, so that a signal, a first claim or the
-- run's end rewrites the row within its page. With a fillfactor of 80 one end in four found room there, with 60 two in three.
CREATE TABLE perdure.run (
    tenant          text COLLATE "C" NOT NULL,
    id              uuid    NOT NULL,
    workflow        text COLLATE "C" NOT NULL,
    version_named   integer,
    version         integer,
    kind            text,
    status          text COLLATE "C" NOT NULL,
    input           text    NOT NULL,
    writes          text,
    output          text,
    error           text,
    idempotency_key text,
    workflow_id     text,
    parent          uuid,
    tags            text,
    retention_days  integer NOT NULL,
    wakes           bigint  NOT NULL DEFAULT 0,
    deadline        bigint,
    started_at      bigint  NOT NULL,
    completed_at    bigint,
    PRIMARY KEY (id, tenant)
) WITH (fillfactor = 60, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 20000);

-- Partial, though every row is in them: so only a query that says the same can use them. A lookup by id must never do: while the
-- table is young all plans look alike, and since release 18 the server would skip through these by id, row by row. And each by
-- another column: where all runs are of one workflow the two look alike, and a list of another workflow's would read them all.
CREATE INDEX run_by_start ON perdure.run (tenant, started_at, id) WHERE retention_days >= 0;
CREATE INDEX run_by_workflow ON perdure.run (tenant, workflow, started_at, id) WHERE started_at >= 0;

-- The tags of runs, for who looks for runs by them. The run's row has them too.
CREATE TABLE perdure.run_tag (
    tenant     text COLLATE "C" NOT NULL,
    name       text COLLATE "C" NOT NULL,
    value      text COLLATE "C" NOT NULL,
    started_at bigint NOT NULL,
    run        uuid   NOT NULL,
    PRIMARY KEY (tenant, name, value, started_at, run)
) WITH (autovacuum_vacuum_scale_factor = 0.05);

-- The runs that do not run, in the order in which they are listed: "at" is when a run ended, and of one that is parked when it
-- started. Also when those that are over go. Indexes of the run's own would cost an entry in each of the others at its end.
CREATE TABLE perdure.run_at_rest (
    tenant     text COLLATE "C" NOT NULL,
    workflow   text COLLATE "C" NOT NULL,
    status     text COLLATE "C" NOT NULL,
    at         bigint NOT NULL,
    run        uuid   NOT NULL,
    retires_at bigint,
    PRIMARY KEY (tenant, workflow, status, at, run)
) WITH (autovacuum_vacuum_scale_factor = 0.05);

CREATE INDEX run_at_rest_by_retirement ON perdure.run_at_rest (retires_at, run) WHERE retires_at IS NOT NULL;

-- How many runs of a workflow are in a status, by lane as queue_count is.
CREATE TABLE perdure.run_count (
    tenant   text COLLATE "C" NOT NULL,
    workflow text COLLATE "C" NOT NULL,
    status   text COLLATE "C" NOT NULL,
    lane     bigint NOT NULL,
    runs     bigint NOT NULL,
    PRIMARY KEY (tenant, workflow, status, lane)
) WITH (fillfactor = 20, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 10000);

-- Histories. (tenant, run, seq) decides every race. Rows are only ever added, and go with their run.
CREATE TABLE perdure.event (
    tenant text COLLATE "C" NOT NULL,
    run    uuid   NOT NULL,
    seq    bigint NOT NULL,
    at     bigint NOT NULL,
    until  bigint,
    event  text   NOT NULL,
    PRIMARY KEY (run, seq, tenant)
) WITH (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_insert_scale_factor = 0.1);

-- The one message of each running run. The deadline is that of the run, and never changes.
CREATE TABLE perdure.run_message (
    tenant        text COLLATE "C" NOT NULL,
    run           uuid    NOT NULL,
    deadline      bigint,
    queue         text COLLATE "C" NOT NULL,
    ready_at      bigint  NOT NULL,
    token         uuid,
    lease_micros  bigint  NOT NULL DEFAULT 0,
    lapses        integer NOT NULL DEFAULT 0,
    leased_at_seq bigint  NOT NULL DEFAULT 0,
    wake_on       text[]  NOT NULL DEFAULT '{}',
    PRIMARY KEY (run, tenant)
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 20000,
        autovacuum_vacuum_cost_delay = 0);

-- Queue before tenant: so no lookup by run and tenant can be taken to this one.
-- Partial as run_by_start is, and for the same reason.
CREATE INDEX run_message_by_ready ON perdure.run_message (queue, tenant, ready_at, run) WHERE ready_at >= 0;
CREATE INDEX run_message_by_deadline ON perdure.run_message (tenant, deadline, run) WHERE deadline IS NOT NULL;

-- Mailboxes.
CREATE TABLE perdure.signal (
    tenant  text COLLATE "C" NOT NULL,
    run     uuid   NOT NULL,
    number  bigint NOT NULL,
    event   text   NOT NULL,
    payload text   NOT NULL,
    at      bigint NOT NULL,
    PRIMARY KEY (run, number, tenant)
) WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 10000);

-- Lanes, the newest batch of each, and what the batches of the last while were answered. newest and last_used are in no
-- index: every flush changes them.
CREATE TABLE perdure.lane (
    id        bigint  GENERATED ALWAYS AS IDENTITY,
    process   uuid    NOT NULL,
    number    integer NOT NULL,
    newest    bigint  NOT NULL DEFAULT 0,
    last_used bigint  NOT NULL,
    PRIMARY KEY (process, number)
) WITH (fillfactor = 20, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 10000);

CREATE TABLE perdure.lane_batch (
    process  uuid    NOT NULL,
    lane     integer NOT NULL,
    number   bigint  NOT NULL,
    at       bigint  NOT NULL,
    commits  integer NOT NULL,
    digest   integer NOT NULL,
    outcomes text[]  NOT NULL,
    PRIMARY KEY (process, lane, number)
) WITH (autovacuum_vacuum_scale_factor = 0.05);

CREATE INDEX lane_batch_by_age ON perdure.lane_batch (at);

-- Workers that said that they are alive, and until when that counts. All of them together are few, and a column that changes with
-- everything they say is not worth an index.
CREATE TABLE perdure.worker (
    tenant      text COLLATE "C" NOT NULL,
    process     uuid    NOT NULL,
    name        text    NOT NULL,
    served      text    NOT NULL,
    concurrency integer NOT NULL,
    since       bigint  NOT NULL,
    until       bigint  NOT NULL,
    PRIMARY KEY (tenant, process)
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);

-- The latest time at which a lease was taken, as exactly as leases need it. A sequence, because to raise one takes no lock and
-- leaves no dead row.
CREATE SEQUENCE perdure.latest_lease AS bigint MINVALUE 0 START 0;
