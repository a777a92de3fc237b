-- works with releases that know migration 13
--
-- A flush updates no row that the flush before it has updated. While some transaction is held open elsewhere, no version of a row may
-- be removed that died since it began, and a look for a row by its key steps over all of them: the row of a lane and its
-- figures of runs gathered one version per flush, 8,000 in a minute, and every flush met them all. Now the newest batch of a lane is
-- its state, and the row of the lane is only locked. A batch carries what it changed in the figures of runs; every 32 batches a lane
-- folds them into its rows of run_count. Figures of queues are added to rows as before, but to others after every fold, so that no row
-- has more than 32 versions of that kind.
--
-- The keys of a batch are locked before its first document, sorted: two batches that name the same keys in different orders wait
-- for each other once, and not crosswise.
--
-- Within a run no event is earlier than the one before it, even if the clock has gone back.
--
-- A run that is given back as it was claimed keeps the count of its lapsed leases: otherwise one that kills its process would never be
-- parked. A wait for an event, and a release after new events, start the count anew.

-- Processes of before cannot commit any more, so they must not take or keep anything either: what they call is gone, or has another name.
ALTER FUNCTION perdure.flush_start_1 RENAME TO flush_start_2;
ALTER FUNCTION perdure.flush_step_1 RENAME TO flush_step_2;
ALTER FUNCTION perdure.flush_signal_1 RENAME TO flush_signal_2;
ALTER FUNCTION perdure.extend_1 RENAME TO extend_2;
DROP FUNCTION perdure.claim_1;
DROP FUNCTION perdure.receive_1;
DROP FUNCTION perdure.flush_1;
DROP FUNCTION perdure.advance_all_1;
DROP FUNCTION perdure.steps_hold_1;
DROP FUNCTION perdure.step_alone_1;
DROP FUNCTION perdure.lock_runs_1;
DROP FUNCTION perdure.project_1;
DROP FUNCTION perdure.append_1;
DROP FUNCTION perdure.count_runs_1;

-- Batches up to this number are in run_count. The newest batch is in lane_batch, which keeps it for as long as there is the lane.
ALTER TABLE perdure.lane RENAME COLUMN newest TO folded;

-- What the batch changed in the figures of runs, null for nothing: how many more runs of a workflow are in a status.
ALTER TABLE perdure.lane_batch
    ADD COLUMN count_tenant text[],
    ADD COLUMN count_workflow text[],
    ADD COLUMN count_status text[],
    ADD COLUMN count_runs bigint[];

-- The latest time of a batch that was removed. Only sweep_lanes_1 writes it, one call at a time.
CREATE SEQUENCE perdure.latest_removed_batch AS bigint MINVALUE 0 START 0;
SELECT setval('perdure.latest_removed_batch', (SELECT coalesce(max(l.last_used), 0) FROM perdure.lane l));

-- The rows that lanes add to now. Partial, so that no lookup of another kind can use them.
CREATE INDEX queue_count_by_lane ON perdure.queue_count (lane) WHERE lane >= 4294967296;
CREATE INDEX queue_due_by_lane ON perdure.queue_due (lane) WHERE lane >= 4294967296;

-- The number of the newest batch of a lane; 0 without batches.
CREATE FUNCTION perdure.newest_in_lane_1(_process uuid, _lane integer) RETURNS bigint
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    RETURN coalesce((SELECT b.number FROM perdure.lane_batch b WHERE b.process = _process AND b.lane = _lane
                     ORDER BY b.number DESC LIMIT 1), 0);
END $$;

-- The lane under which figures of queues are counted until the next fold; those that are folded have the id alone.
CREATE FUNCTION perdure.counting_lane_1(_id bigint, _folded bigint) RETURNS bigint
LANGUAGE sql IMMUTABLE AS $$
    SELECT (_id << 32) | (_folded & 4294967295)
$$;

-- Adds what a lane has counted since it was folded last to the rows that have its id. The row of the lane is locked.
CREATE FUNCTION perdure.fold_lane_1(_process uuid, _lane integer) RETURNS void
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    _newest bigint := perdure.newest_in_lane_1(_process, _lane);
    _id bigint;
    _folded bigint;
    _counting bigint;
BEGIN
    SELECT l.id, l.folded, perdure.counting_lane_1(l.id, l.folded) INTO _id, _folded, _counting
    FROM perdure.lane l WHERE l.process = _process AND l.number = _lane;
    INSERT INTO perdure.run_count AS c (tenant, workflow, status, lane, runs)
    SELECT d.tenant, d.workflow, d.status, _id, sum(d.runs)
    FROM perdure.lane_batch b, LATERAL unnest(b.count_tenant, b.count_workflow, b.count_status, b.count_runs)
         d (tenant, workflow, status, runs)
    WHERE b.process = _process AND b.lane = _lane AND b.number > _folded
    GROUP BY 1, 2, 3 HAVING sum(d.runs) <> 0 ORDER BY 1, 2, 3
    ON CONFLICT (tenant, workflow, status, lane) DO UPDATE SET runs = c.runs + excluded.runs;
    -- Added first and removed after that: rows are locked in the order of the index, as who deletes a queue does. The counting rows are this lane's alone.
    INSERT INTO perdure.queue_count AS c (queue, lane, came_in, went_out, retried, dead_lettered, expired)
    SELECT n.queue, _id, n.came_in, n.went_out, n.retried, n.dead_lettered, n.expired FROM perdure.queue_count n
    WHERE n.lane = _counting AND n.lane >= 4294967296 ORDER BY n.queue
    ON CONFLICT (queue, lane) DO UPDATE
    SET came_in = c.came_in + excluded.came_in, went_out = c.went_out + excluded.went_out,
        retried = c.retried + excluded.retried, dead_lettered = c.dead_lettered + excluded.dead_lettered,
        expired = c.expired + excluded.expired;
    DELETE FROM perdure.queue_count n WHERE n.lane = _counting AND n.lane >= 4294967296;
    INSERT INTO perdure.queue_due AS d (queue, bits, slot, lane, delayed, leased)
    SELECT n.queue, n.bits, n.slot, _id, n.delayed, n.leased FROM perdure.queue_due n
    WHERE n.lane = _counting AND n.lane >= 4294967296 AND (n.delayed <> 0 OR n.leased <> 0) ORDER BY n.queue, n.bits, n.slot
    ON CONFLICT (queue, bits, slot, lane) DO UPDATE
    SET delayed = d.delayed + excluded.delayed, leased = d.leased + excluded.leased;
    DELETE FROM perdure.queue_due n WHERE n.lane = _counting AND n.lane >= 4294967296;
    UPDATE perdure.lane l SET folded = _newest WHERE l.process = _process AND l.number = _lane;
END $$;

-- Locks a lane for its next batch, and answers the lane under which it counts; null where this batch is not the next one. What was committed under the lock
-- before is seen by the statement after it.
CREATE OR REPLACE FUNCTION perdure.next_in_lane_1(_process uuid, _lane integer, _number bigint) RETURNS bigint
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    _id bigint;
    _folded bigint;
BEGIN
    SELECT l.id, l.folded INTO _id, _folded FROM perdure.lane l
    WHERE l.process = _process AND l.number = _lane FOR NO KEY UPDATE;
    IF _id IS NULL OR perdure.newest_in_lane_1(_process, _lane) <> _number - 1 THEN
        RETURN NULL;
    END IF;
    IF _number > _folded + 32 THEN
        PERFORM perdure.fold_lane_1(_process, _lane);
        _folded := _number - 1;
    END IF;
    RETURN perdure.counting_lane_1(_id, _folded);
END $$;

-- The answer to a batch that is not the next of its lane. A call that came before and was still at work held us up until its
-- answer was there.
CREATE OR REPLACE FUNCTION perdure.answered_1(_process uuid, _lane integer, _number bigint, OUT known text, OUT newest bigint,
                                   OUT at bigint, OUT commits integer, OUT digest integer, OUT outcomes text[])
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    SELECT 'answered', b.number, b.at, b.commits, b.digest, b.outcomes
    INTO known, newest, at, commits, digest, outcomes
    FROM perdure.lane_batch b WHERE b.process = _process AND b.lane = _lane AND b.number = _number;
    IF NOT FOUND THEN
        known := 'rewound';
        SELECT perdure.newest_in_lane_1(_process, _lane) INTO newest
        FROM perdure.lane l WHERE l.process = _process AND l.number = _lane;
    END IF;
END $$;

-- How many runs of each workflow are in which status: what was folded, and what the batches since then have changed. One statement, so
-- that a batch is seen in one of the two.
CREATE FUNCTION perdure.run_counts_1(_tenant text) RETURNS TABLE (workflow text, status text, runs bigint)
LANGUAGE plpgsql STABLE ROWS 20
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET enable_material = off
SET enable_bitmapscan = off SET enable_memoize = off SET plan_cache_mode = force_generic_plan SET jit = off
AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY
    SELECT n.workflow, n.status, sum(n.runs)::bigint
    FROM (SELECT c.workflow, c.status, c.runs FROM perdure.run_count c WHERE c.tenant = _tenant
          UNION ALL
          SELECT d.workflow, d.status, d.runs
          FROM perdure.lane l, LATERAL (
              SELECT * FROM perdure.lane_batch
              WHERE process = l.process AND lane = l.number AND number > l.folded OFFSET 0) b,
              LATERAL unnest(b.count_tenant, b.count_workflow, b.count_status, b.count_runs)
              d (tenant, workflow, status, runs)
          WHERE d.tenant = _tenant) n
    GROUP BY n.workflow, n.status;
END $$;

-- What plain starts, plain ends and documents changed, each workflow and status once. Of a run that a document has led to another
-- status there is an object: its tenant, its workflow, the status before, if there was one, and the status after.
CREATE FUNCTION perdure.changed_counts_1(
    _line_tenant text[], _line_workflow text[], _start_line integer[],
    _ended_tenant text[], _ended_workflow text[], _ended_status text[], _counted jsonb[],
    OUT tenants text[], OUT workflows text[], OUT statuses text[], OUT runs bigint[])
LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    SELECT array_agg(g.tenant), array_agg(g.workflow), array_agg(g.status), array_agg(g.runs)
    INTO tenants, workflows, statuses, runs
    FROM (SELECT d.tenant, d.workflow, d.status, sum(d.runs) AS runs
          FROM (SELECT _line_tenant[s.line] AS tenant, _line_workflow[s.line] AS workflow, 'running' AS status, s.runs::integer
                FROM (SELECT l AS line, count(*) AS runs FROM unnest(_start_line) l GROUP BY l) s
                UNION ALL
                SELECT e.tenant, e.workflow, c.status, c.runs
                FROM unnest(_ended_tenant, _ended_workflow, _ended_status) e (tenant, workflow, status),
                     LATERAL (VALUES ('running', -1), (e.status, 1)) c (status, runs)
                UNION ALL
                SELECT o.value->>'tenant', o.value->>'workflow', c.status, c.runs
                FROM unnest(_counted) o (value),
                     LATERAL (VALUES (o.value->>'from', -1), (o.value->>'to', 1)) c (status, runs)
                WHERE c.status IS NOT NULL) d
          GROUP BY 1, 2, 3 HAVING sum(d.runs) <> 0) g;
END $$;

-- The last event of a run and its time; those of RunCreated where there is no other.
CREATE FUNCTION perdure.last_event_1(_run perdure.run, OUT seq bigint, OUT at bigint)
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    SELECT e.seq, e.at INTO seq, at FROM perdure.event e
    WHERE e.run = _run.id AND e.tenant = _run.tenant ORDER BY e.seq DESC LIMIT 1;
    IF NOT FOUND THEN
        seq := 0;
        at := _run.started_at;
    END IF;
END $$;

-- Appends events from a number on, if that number is free. The first is the gate: who else wants the number waits for it,
-- and the numbers after it are nobody's while it is ours. "_at" is their time, from "_now" on is counted when they are due.
CREATE FUNCTION perdure.append_2(_tenant text, _run uuid, _seq bigint, _events jsonb, _now bigint, _at bigint) RETURNS boolean
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    INSERT INTO perdure.event (tenant, run, seq, at, until, event)
    VALUES (_tenant, _run, _seq, _at, perdure.due_1(_events->0->'until', _now), _events->0->>'event')
    ON CONFLICT (run, seq, tenant) DO NOTHING;
    IF NOT FOUND THEN
        RETURN false;
    END IF;
    IF jsonb_array_length(_events) > 1 THEN
        INSERT INTO perdure.event (tenant, run, seq, at, until, event)
        SELECT _tenant, _run, _seq + e.ordinality - 1, _at, perdure.due_1(e.value->'until', _now), e.value->>'event'
        FROM jsonb_array_elements(_events) WITH ORDINALITY e WHERE e.ordinality > 1;
    END IF;
    RETURN true;
END $$;

-- What follows when events have led a run to another state: its row, its message, its workflow id, its parent. Its row is
-- locked. Answers the queues in which something became ready. "_at" is the time of the events.
CREATE FUNCTION perdure.project_2(_run perdure.run, _after jsonb, _now bigint, _at bigint) RETURNS text[]
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    _status text := _after->>'status';
    _over boolean := _status IN ('completed', 'failed', 'cancelled');
    _parent perdure.run;
    _ready text;
BEGIN
    UPDATE perdure.run
    SET status = _status, version = coalesce((_after->>'version')::integer, version), output = _after->>'output',
        error = _after->>'error', completed_at = CASE WHEN _over THEN _at END
    WHERE id = _run.id AND tenant = _run.tenant;
    IF _run.status <> 'running' THEN
        PERFORM perdure.leave_rest_1(_run);
    END IF;
    IF _status <> 'running' THEN
        INSERT INTO perdure.run_at_rest (tenant, workflow, status, at, run, retires_at)
        VALUES (_run.tenant, _run.workflow, _status, CASE WHEN _over THEN _at ELSE _run.started_at END, _run.id,
                CASE WHEN _over THEN _at + _run.retention_days * 86400000000 END);
    END IF;
    IF _status <> 'running' THEN
        DELETE FROM perdure.run_message WHERE run = _run.id AND tenant = _run.tenant;
    END IF;
    IF NOT _over THEN
        RETURN '{}';
    END IF;
    IF _run.workflow_id IS NOT NULL THEN
        DELETE FROM perdure.claimed_key
        WHERE tenant = _run.tenant AND scope = 'workflow id' AND within = _run.workflow AND value = _run.workflow_id;
    END IF;
    IF _run.parent IS NOT NULL THEN
        SELECT * INTO _parent FROM perdure.run WHERE id = _run.parent AND tenant = _run.tenant FOR NO KEY UPDATE;
        -- A failed run may be redriven, and then looks for what its children left it.
        IF FOUND AND _parent.status NOT IN ('completed', 'cancelled') THEN
            _ready := perdure.deliver_1(_parent, _after->'notice'->>'event', _after->'notice'->>'payload', _now);
        END IF;
    END IF;
    RETURN array_remove(ARRAY[_ready], NULL);
END $$;

-- How a document tells that a run has another status now, for who counts; nothing where it has not.
CREATE FUNCTION perdure.counted_1(_run perdure.run, _status text) RETURNS jsonb
LANGUAGE sql IMMUTABLE AS $$
    SELECT CASE WHEN _status <> _run.status THEN jsonb_build_object('counted', jsonb_build_object(
        'tenant', _run.tenant, 'workflow', _run.workflow, 'from', _run.status, 'to', _status)) ELSE '{}' END
$$;

-- Locks keys in one order for all, before any document comes to one of them. Those that have a holder, a run that is to start, are bound
-- to it if they are free; of several starts the first one has it, as it comes first. All the others are held by a row that has expired, if
-- there is none: a key that may be freed, too, or bound by a run that is redriven, and deduplication ids, which are bound together with their
-- messages. Doors come before keys.
CREATE FUNCTION perdure.lock_keys_1(
    _tenant text[], _scope text[], _within text[], _value text[], _holder uuid[], _detail text[]) RETURNS void
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    IF 'message' = ANY (_scope) THEN
        PERFORM pg_advisory_xact_lock_shared(d.door)
        FROM (SELECT DISTINCT perdure.door_1(w.tenant, w.within) AS door
              FROM unnest(_tenant, _scope, _within) w (tenant, scope, within) WHERE w.scope = 'message' ORDER BY 1) d;
    END IF;
    INSERT INTO perdure.claimed_key AS k (tenant, scope, within, value, holder, detail, expires_at)
    SELECT w.tenant, w.scope, w.within, w.value, coalesce(w.holder, '00000000-0000-0000-0000-000000000000'),
           coalesce(w.detail, ''), CASE WHEN w.holder IS NULL THEN -1 END
    FROM (SELECT DISTINCT ON (c.tenant, c.scope, c.within, c.value) c.*
          FROM (SELECT a.tenant COLLATE "C" AS tenant, a.scope COLLATE "C" AS scope, a.within COLLATE "C" AS within,
                       a.value COLLATE "C" AS value, a.holder, a.detail, a.place
                FROM unnest(_tenant, _scope, _within, _value, _holder, _detail) WITH ORDINALITY
                     a (tenant, scope, within, value, holder, detail, place)) c
          ORDER BY c.tenant, c.scope, c.within, c.value, c.holder IS NOT NULL, c.place) w
    ORDER BY w.tenant, w.scope, w.within, w.value
    ON CONFLICT (tenant, scope, within, value) DO UPDATE SET holder = k.holder WHERE false;
END $$;

-- Removes those of the keys that were held and that no document has bound.
CREATE FUNCTION perdure.leave_keys_1(_tenant text[], _scope text[], _within text[], _value text[]) RETURNS void
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    DELETE FROM perdure.claimed_key k USING (
        SELECT (SELECT x.ctid FROM perdure.claimed_key x
                WHERE x.tenant = w.tenant AND x.scope = w.scope AND x.within = w.within AND x.value = w.value
                  AND x.expires_at = -1 LIMIT 1) AS place
        FROM unnest(_tenant, _scope, _within, _value) w (tenant, scope, within, value) OFFSET 0) h
    WHERE k.ctid = h.place;
END $$;

-- Whether this transaction has bound a key to this holder.
CREATE FUNCTION perdure.binds_1(_tenant text, _scope text, _within text, _value text, _holder uuid) RETURNS boolean
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    RETURN EXISTS (SELECT 1 FROM perdure.claimed_key k
                   WHERE k.tenant = _tenant AND k.scope = _scope AND k.within = _within AND k.value = _value
                     AND k.holder = _holder AND k.xmin = pg_current_xact_id()::xid);
END $$;

CREATE OR REPLACE FUNCTION perdure.start_1(_commit jsonb, _now bigint, _lane bigint) RETURNS jsonb
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    _tenant text := _commit->>'tenant';
    _run uuid := (_commit->>'run')::uuid;
    _workflow text := _commit->>'workflow';
    _key text := _commit->>'idempotencyKey';
    _workflow_id text := _commit->>'workflowId';
    -- Its keys were bound before, as far as they were free.
    _bound boolean := coalesce((_commit->>'bound')::boolean, false);
    _lease jsonb := _commit->'lease';
    _winner uuid;
    _detail text;
    _deadline bigint := perdure.due_1(_commit->'deadline', _now);
    _ready bigint := least(_deadline, perdure.due_1(_commit->'ready', _now));
    _queue text := perdure.queue_of_runs_1(_workflow, (_commit->>'version')::integer);
BEGIN
    IF _key IS NOT NULL AND NOT (_bound AND perdure.binds_1(_tenant, 'idempotency', _workflow, _key, _run)) THEN
        SELECT holder, detail INTO _winner, _detail
        FROM perdure.bind_key_1(_tenant, 'idempotency', _workflow, _key, _run, _commit->>'fingerprint', NULL, _now);
        IF FOUND THEN
            IF _bound AND perdure.binds_1(_tenant, 'workflow id', _workflow, _workflow_id, _run) THEN
                PERFORM perdure.free_key_1(_tenant, 'workflow id', _workflow, _workflow_id);
            END IF;
            IF _detail <> _commit->>'fingerprint' THEN
                RETURN jsonb_build_object('is', 'refused', 'why', 'KEY_REUSED', 'run', _winner);
            END IF;
            RETURN jsonb_build_object(
                'is', 'duplicate', 'run', _winner, 'key', 'IDEMPOTENCY_KEY',
                'status', (SELECT status FROM perdure.run WHERE id = _winner AND tenant = _tenant));
        END IF;
    END IF;
    IF _workflow_id IS NOT NULL
       AND NOT (_bound AND perdure.binds_1(_tenant, 'workflow id', _workflow, _workflow_id, _run)) THEN
        SELECT holder INTO _winner
        FROM perdure.bind_key_1(_tenant, 'workflow id', _workflow, _workflow_id, _run, '', NULL, _now);
        IF FOUND THEN
            -- The key binds even so: whoever repeats this start is to be given the same answer.
            UPDATE perdure.claimed_key SET holder = _winner
            WHERE tenant = _tenant AND scope = 'idempotency' AND within = _workflow AND value = _key;
            RETURN jsonb_build_object(
                'is', 'duplicate', 'run', _winner, 'key', 'WORKFLOW_ID',
                'status', (SELECT status FROM perdure.run WHERE id = _winner AND tenant = _tenant));
        END IF;
    END IF;
    INSERT INTO perdure.run (tenant, id, workflow, version_named, version, kind, status, input, writes, idempotency_key,
                             workflow_id, parent, tags, retention_days, deadline, started_at)
    VALUES (_tenant, _run, _workflow, (_commit->>'version')::integer, (_commit->>'version')::integer, _commit->>'kind',
            'running', _commit->>'input', _commit->>'writes', _key, _workflow_id, (_commit->>'parent')::uuid,
            _commit->>'tags', (_commit->>'retentionDays')::integer, _deadline, _now)
    ON CONFLICT (id, tenant) DO NOTHING;
    IF NOT FOUND THEN
        PERFORM perdure.free_key_1(_tenant, 'idempotency', _workflow, _key);
        PERFORM perdure.free_key_1(_tenant, 'workflow id', _workflow, _workflow_id);
        RETURN jsonb_build_object('is', 'conflict', 'last', perdure.last_1(_tenant, _run));
    END IF;
    IF _commit->>'tags' IS NOT NULL THEN
        PERFORM perdure.tag_1(_tenant, _run, _commit->>'tags', _now);
    END IF;
    IF _lease IS NULL OR _lease = 'null' THEN
        INSERT INTO perdure.run_message (tenant, run, deadline, queue, ready_at)
        VALUES (_tenant, _run, _deadline, _queue, _ready);
    ELSE
        PERFORM perdure.latest_lease_1(_now, (_lease->>'micros')::bigint);
        INSERT INTO perdure.run_message (tenant, run, deadline, queue, ready_at, token, lease_micros)
        VALUES (_tenant, _run, _deadline, _queue, perdure.due_1(jsonb_build_object('in', _lease->'micros'), _now),
                (_lease->>'token')::uuid, (_lease->>'micros')::bigint);
    END IF;
    RETURN jsonb_build_object(
        'is', 'started', 'at', _now, 'deadline', _deadline,
        -- A delayed one too: whoever waits learns when to look.
        'ready', CASE WHEN _lease IS NULL OR _lease = 'null' THEN _queue END,
        'counted', jsonb_build_object('tenant', _tenant, 'workflow', _workflow, 'to', 'running'));
END $$;

-- What the holder of a run's lease commits. The event's number is the gate. The token is read without a lock where the lease
-- outlasts any flush: nobody can take it away meanwhile except by an event, and then the gate is lost.
CREATE OR REPLACE FUNCTION perdure.advance_1(_commit jsonb, _now bigint, _lane bigint, _limits bigint[]) RETURNS jsonb
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    _tenant text := _commit->>'tenant';
    _id uuid := (_commit->>'run')::uuid;
    _token uuid := (_commit->>'token')::uuid;
    _seq bigint := (_commit->>'seq')::bigint;
    _events jsonb := _commit->'events';
    _release jsonb := nullif(_commit->'release', 'null');
    _after jsonb := nullif(_commit->'after', 'null');
    _waits boolean := _release IS NOT NULL AND _release->'wakeOn' <> '[]';
    _run perdure.run;
    _message perdure.run_message;
    _last bigint;
    _at bigint;
    _refused jsonb;
    _taken bigint[];
    _signal jsonb;
    _ready bigint;
    _hints text[] := '{}';
BEGIN
    LOOP
        IF _waits OR _after IS NOT NULL THEN
            SELECT * INTO _run FROM perdure.run WHERE id = _id AND tenant = _tenant FOR NO KEY UPDATE;
        ELSE
            SELECT * INTO _run FROM perdure.run WHERE id = _id AND tenant = _tenant;
        END IF;
        IF NOT FOUND THEN
            RETURN jsonb_build_object('is', 'refused', 'why', 'NO_SUCH_RUN');
        END IF;
        SELECT * INTO _message FROM perdure.run_message WHERE run = _id AND tenant = _tenant AND token = _token;
        IF FOUND AND (_release IS NOT NULL OR _after IS NOT NULL OR _message.ready_at < _now + _limits[4]) THEN
            SELECT * INTO _message FROM perdure.run_message
            WHERE run = _id AND tenant = _tenant AND token = _token FOR NO KEY UPDATE;
        END IF;
        IF NOT FOUND THEN
            -- Read again: what took the lease away may have changed the status since.
            RETURN jsonb_build_object('is', 'lost', 'status', (SELECT status FROM perdure.run
                                                               WHERE id = _id AND tenant = _tenant));
        END IF;
        SELECT l.seq, greatest(_now, l.at) INTO _last, _at FROM perdure.last_event_1(_run) l;
        IF _seq <> _last + 1 THEN
            RETURN jsonb_build_object('is', 'conflict', 'last', _last);
        END IF;
        IF jsonb_array_length(_events) > 0 AND _last + jsonb_array_length(_events) > _limits[1]
           AND NOT (_commit->>'ends')::boolean THEN
            RETURN jsonb_build_object('is', 'refused', 'why', 'HISTORY_FULL', 'last', _last, 'most', _limits[1]);
        END IF;
        _taken := '{}';
        FOR _signal IN SELECT value FROM jsonb_array_elements(_commit->'signals') LOOP
            IF (_signal->>'number')::bigint = ANY (_taken)
               OR NOT EXISTS (SELECT 1 FROM perdure.signal
                              WHERE run = _id AND tenant = _tenant AND number = (_signal->>'number')::bigint
                                AND event = _signal->>'event') THEN
                RETURN jsonb_build_object('is', 'refused', 'why', 'NO_SUCH_SIGNAL', 'number', _signal->'number');
            END IF;
            _taken := _taken || (_signal->>'number')::bigint;
        END LOOP;
        IF _waits AND (_release->>'wakes')::bigint <> _run.wakes THEN
            RETURN jsonb_build_object('is', 'woken', 'wakes', _run.wakes);
        END IF;
        _refused := perdure.obstacle_1(_tenant, _commit->'sends');
        IF _refused IS NOT NULL THEN
            RETURN _refused;
        END IF;
        EXIT WHEN jsonb_array_length(_events) = 0 OR perdure.append_2(_tenant, _id, _seq, _events, _now, _at);
        -- Somebody else was there first, and has committed: look again at what he left.
    END LOOP;
    DELETE FROM perdure.signal WHERE run = _id AND tenant = _tenant AND number = ANY (_taken);
    IF _after IS NOT NULL THEN
        _hints := perdure.project_2(_run, _after, _now, _at);
    ELSIF _release IS NOT NULL THEN
        _ready := least(_run.deadline, perdure.due_1(_release->'ready', _now));
        UPDATE perdure.run_message
        SET token = NULL, ready_at = _ready,
            lapses = CASE WHEN NOT _waits AND jsonb_array_length(_events) = 0 AND leased_at_seq = _last THEN lapses ELSE 0 END,
            wake_on = ARRAY(SELECT jsonb_array_elements_text(_release->'wakeOn'))
        WHERE run = _id AND tenant = _tenant;
        IF _ready <= _now THEN
            _hints := ARRAY[_message.queue];
        END IF;
    END IF;
    RETURN jsonb_build_object(
        'is', 'appended', 'seq', _seq, 'at', _at, 'status', coalesce(_after->>'status', 'running'),
        'untils', perdure.untils_1(_events, _now), 'ready', array_to_string(_hints, ','),
        'ended', coalesce(_after->>'status', '') IN ('completed', 'failed', 'cancelled'),
        'sent', perdure.put_all_1(_tenant, _commit->'sends', _now, _lane, _limits[3]))
        || CASE WHEN _after IS NOT NULL THEN perdure.counted_1(_run, _after->>'status') ELSE '{}' END;
END $$;

-- Changes a run from outside. Holds the run and takes the lease away first, so that it never loses for long against a busy
-- worker; a step that was already under way may still get its number in, and then it is tried again after that.
CREATE OR REPLACE FUNCTION perdure.intervene_1(_commit jsonb, _now bigint, _lane bigint) RETURNS jsonb
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    _tenant text := _commit->>'tenant';
    _id uuid := (_commit->>'run')::uuid;
    _events jsonb := _commit->'events';
    _run perdure.run;
    _after jsonb;
    _last bigint;
    _at bigint;
    _queue text;
    _ready bigint;
    _bound boolean;
    _hints text[];
BEGIN
    SELECT * INTO _run FROM perdure.run WHERE id = _id AND tenant = _tenant FOR NO KEY UPDATE;
    IF NOT FOUND THEN
        RETURN jsonb_build_object('is', 'refused', 'why', 'NO_SUCH_RUN');
    END IF;
    PERFORM 1 FROM perdure.run_message WHERE run = _id AND tenant = _tenant FOR UPDATE;
    LOOP
        SELECT l.seq, greatest(_now, l.at) INTO _last, _at FROM perdure.last_event_1(_run) l;
        IF (_commit->>'ifLast')::bigint <> _last THEN
            RETURN jsonb_build_object('is', 'conflict', 'last', _last);
        END IF;
        _after := _commit->'after'->_run.status;
        IF _after ? 'why' THEN
            RETURN jsonb_build_object('is', 'refused') || _after;
        END IF;
        -- The workflow id of a run that is to go on again must be free.
        IF _bound IS NULL AND _run.status IN ('completed', 'failed', 'cancelled') AND _run.workflow_id IS NOT NULL THEN
            SELECT count(*) = 0 INTO _bound
            FROM perdure.bind_key_1(_tenant, 'workflow id', _run.workflow, _run.workflow_id, _id, '', NULL, _now);
            IF NOT _bound THEN
                RETURN jsonb_build_object('is', 'refused', 'why', 'WORKFLOW_ID_HELD', 'workflowId', _run.workflow_id);
            END IF;
        END IF;
        EXIT WHEN perdure.append_2(_tenant, _id, _last + 1, _events, _now, _at);
    END LOOP;
    IF (_after->>'changed')::boolean THEN
        _hints := perdure.project_2(_run, _after, _now, _at);
    ELSE
        _hints := '{}';
    END IF;
    IF _after->>'status' = 'running' THEN
        _queue := perdure.queue_of_runs_1(_run.workflow, coalesce((_after->>'version')::integer, _run.version));
        _ready := least(_run.deadline, perdure.due_1(_commit->'ready', _now));
        INSERT INTO perdure.run_message AS m (tenant, run, deadline, queue, ready_at)
        VALUES (_tenant, _id, _run.deadline, _queue, _ready)
        ON CONFLICT (run, tenant) DO UPDATE
        SET queue = excluded.queue, ready_at = excluded.ready_at, token = NULL, lease_micros = 0, lapses = 0,
            leased_at_seq = 0, wake_on = '{}';
        IF _ready <= _now THEN
            _hints := _hints || _queue;
        END IF;
    END IF;
    RETURN jsonb_build_object(
        'is', 'appended', 'seq', _last + 1, 'at', _at, 'status', _after->>'status',
        'untils', perdure.untils_1(_events, _now), 'ready', array_to_string(_hints, ','),
        'ended', _after->>'status' IN ('completed', 'failed', 'cancelled'))
        || CASE WHEN (_after->>'changed')::boolean THEN perdure.counted_1(_run, _after->>'status') ELSE '{}' END;
END $$;

-- Locks runs and their parents, in one order for all: who ends tells its parent, and a parent never changes. Answers the parents, and the
-- workflow ids that the runs have or had: who ends frees its own.
CREATE FUNCTION perdure.lock_runs_2(_runs uuid[], OUT parents uuid[], OUT tenants text[], OUT workflows text[], OUT workflow_ids text[])
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    SELECT coalesce(array_agg(p.parent) FILTER (WHERE p.parent IS NOT NULL), '{}'),
           array_agg(p.tenant) FILTER (WHERE p.workflow_id IS NOT NULL),
           array_agg(p.workflow) FILTER (WHERE p.workflow_id IS NOT NULL),
           array_agg(p.workflow_id) FILTER (WHERE p.workflow_id IS NOT NULL)
    INTO parents, tenants, workflows, workflow_ids
    FROM perdure.run p WHERE p.id = ANY (_runs) AND (p.parent IS NOT NULL OR p.workflow_id IS NOT NULL);
    PERFORM 1 FROM perdure.run r WHERE r.id = ANY (_runs || parents) ORDER BY r.id FOR NO KEY UPDATE;
END $$;

-- Which steps hold: their lease does, their number is next, and they are as plain as they look. What was seen of a lease before is
-- 0 where it was lost, 1 where it lasts for longer than this call, 2 where its message was locked then and is to be asked now. Where the
-- clock has gone back, a step of a run whose last event is later than now is not plain.
CREATE FUNCTION perdure.steps_hold_2(_now bigint, _back boolean, _lease integer[], _tenants text[], _parents uuid[], _tenant integer[],
                                     _run uuid[], _token uuid[], _seq bigint[], _kind integer[]) RETURNS boolean[]
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    RETURN ARRAY(
        SELECT coalesce(
            (a.lease = 1
             OR (a.lease = 2 AND (SELECT m.token = a.token FROM perdure.run_message m
                                  WHERE m.run = a.run AND m.tenant = _tenants[a.tenant] LIMIT 1)))
            AND a.seq - 1 = coalesce((SELECT e.seq FROM perdure.event e WHERE e.run = a.run AND e.tenant = _tenants[a.tenant]
                                      ORDER BY e.seq DESC LIMIT 1), 0)
            AND (NOT _back OR _now >= coalesce(
                (SELECT e.at FROM perdure.event e WHERE e.run = a.run AND e.tenant = _tenants[a.tenant] ORDER BY e.seq DESC LIMIT 1),
                (SELECT r.started_at FROM perdure.run r WHERE r.id = a.run AND r.tenant = _tenants[a.tenant] LIMIT 1)))
            -- Who ends frees its workflow id and tells its parent, and a parent may be told before it ends: all in the order
            -- of the batch.
            AND (a.kind < 2 OR (a.run <> ALL (_parents)
                                AND (SELECT r.parent IS NULL AND r.workflow_id IS NULL FROM perdure.run r
                                     WHERE r.id = a.run AND r.tenant = _tenants[a.tenant] LIMIT 1))), false)
        FROM unnest(_lease, _tenant, _run, _token, _seq, _kind) a (lease, tenant, run, token, seq, kind));
END $$;

-- Plain steps: events, and the end of the run or its release until a time. Of each run one step, in the order of the runs. The
-- runs that end are locked. "_kind" is 0 for a step that keeps its lease, 1 for a release, 2 for an end. Of events after the
-- first "_more_step" tells the step; of ends and releases "_held_step".
--
-- Answers the places of steps that are not plain after all, or lost: those are for advance_1 to judge. Also the queues in which
-- something became ready, tenants first and then names; and how many runs of a workflow ended how.
CREATE FUNCTION perdure.advance_all_2(
    _now bigint, _sure bigint, _back boolean, _careful boolean, _tenants text[], _parents uuid[],
    _tenant integer[], _run uuid[], _token uuid[], _seq bigint[], _until bigint[], _event text[], _kind integer[],
    _more_step integer[], _more_seq bigint[], _more_until bigint[], _more_event text[],
    _held_step integer[], _status text[], _output text[], _error text[], _ready_at bigint[],
    OUT lost integer[], OUT ready text[], OUT count_tenant text[], OUT count_workflow text[], OUT count_status text[])
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    _hold boolean[];
    _lease integer[];
    _locked uuid[];
BEGIN
    -- Those that end or are let go of, and those whose lease is about to end and may go to somebody else meanwhile, are locked
    -- together, in one order: extensions lock the same rows.
    _lease := ARRAY(
        SELECT CASE WHEN a.kind > 0 THEN 2 ELSE coalesce(
            (SELECT CASE WHEN m.token IS DISTINCT FROM a.token THEN 0 WHEN m.ready_at >= _sure THEN 1 ELSE 2 END
             FROM perdure.run_message m WHERE m.run = a.run AND m.tenant = _tenants[a.tenant] LIMIT 1), 0) END
        FROM unnest(_kind, _tenant, _run, _token) a (kind, tenant, run, token));
    _locked := ARRAY(SELECT a.run FROM unnest(_lease, _run) a (lease, run) WHERE a.lease = 2);
    IF _locked <> '{}' THEN
        PERFORM 1 FROM perdure.run_message m WHERE m.run = ANY (_locked) ORDER BY m.run FOR NO KEY UPDATE;
    END IF;
    _hold := perdure.steps_hold_2(_now, _back, _lease, _tenants, _parents, _tenant, _run, _token, _seq, _kind);
    _hold := perdure.append_all_1(_now, _careful, _hold, _tenants, _tenant, _run, _seq, _until, _event);
    IF false = ANY (_hold) THEN
        lost := ARRAY(SELECT h.place FROM unnest(_hold) WITH ORDINALITY h (hold, place) WHERE NOT h.hold);
    END IF;
    IF _more_step IS NOT NULL THEN
        INSERT INTO perdure.event (tenant, run, seq, at, until, event)
        SELECT _tenants[_tenant[e.step]], _run[e.step], e.seq, _now, perdure.fixed_1(e.until, _now), e.event
        FROM unnest(_more_step, _more_seq, _more_until, _more_event) e (step, seq, until, event)
        WHERE _hold[e.step];
    END IF;
    IF _status IS NOT NULL THEN
        WITH ended AS (
            SELECT h.status, h.output, h.error, h.status <> 'parked' AS over,
                   (SELECT r.ctid FROM perdure.run r
                    WHERE r.id = _run[h.step] AND r.tenant = _tenants[_tenant[h.step]] LIMIT 1) AS place
            FROM unnest(_held_step, _status, _output, _error) h (step, status, output, error)
            WHERE h.status IS NOT NULL AND _hold[h.step] OFFSET 0
        ), changed AS (
            UPDATE perdure.run r
            SET status = e.status, output = e.output, error = e.error, completed_at = CASE WHEN e.over THEN _now END
            FROM ended e WHERE r.ctid = e.place
            RETURNING r.tenant, r.workflow, r.status, r.id, r.started_at, r.completed_at, r.retention_days
        ), resting AS (
            INSERT INTO perdure.run_at_rest (tenant, workflow, status, at, run, retires_at)
            SELECT c.tenant, c.workflow, c.status, coalesce(c.completed_at, c.started_at), c.id,
                   c.completed_at + c.retention_days * 86400000000
            FROM changed c
        )
        SELECT array_agg(c.tenant), array_agg(c.workflow), array_agg(c.status)
        INTO count_tenant, count_workflow, count_status FROM changed c;
        DELETE FROM perdure.run_message m USING (
            SELECT (SELECT x.ctid FROM perdure.run_message x
                    WHERE x.run = _run[h.step] AND x.tenant = _tenants[_tenant[h.step]] LIMIT 1) AS place
            FROM unnest(_held_step, _status) h (step, status)
            WHERE h.status IS NOT NULL AND _hold[h.step] OFFSET 0) g
        WHERE m.ctid = g.place;
    END IF;
    IF _ready_at IS NOT NULL THEN
        WITH released AS (
            SELECT least(perdure.fixed_1(h.ready_at, _now),
                         (SELECT r.deadline FROM perdure.run r
                          WHERE r.id = _run[h.step] AND r.tenant = _tenants[_tenant[h.step]] LIMIT 1)) AS ready_at,
                   (SELECT x.ctid FROM perdure.run_message x
                    WHERE x.run = _run[h.step] AND x.tenant = _tenants[_tenant[h.step]] LIMIT 1) AS place,
                   CASE WHEN _event[h.step] IS NULL THEN _seq[h.step] - 1 END AS last
            FROM unnest(_held_step, _ready_at) h (step, ready_at)
            WHERE h.ready_at IS NOT NULL AND _hold[h.step] OFFSET 0
        ), changed AS (
            UPDATE perdure.run_message m
            SET token = NULL, wake_on = '{}', ready_at = r.ready_at,
                lapses = CASE WHEN r.last = m.leased_at_seq THEN m.lapses ELSE 0 END
            FROM released r WHERE m.ctid = r.place
            RETURNING m.tenant, m.queue, m.ready_at
        ), due AS (
            SELECT DISTINCT c.tenant, c.queue FROM changed c WHERE c.ready_at <= _now
        )
        SELECT array_agg(d.tenant) || array_agg(d.queue) INTO ready FROM due d;
    END IF;
END $$;

-- Answers one row. "known" is how the lane stands: next (this call applied the batch), answered (an earlier call did, and
-- these are its outcomes), or rewound (the batch is neither). An outcome that is null, or an empty array of them, says that
-- the commit was done as asked.
--
-- Locks are taken in one order: lane, messages that something is said of, doors, groups that plain sends join; then those of the other
-- plain commits and of documents, run, message of a run, doors and keys, event, group, the next message of the group, figures. A batch of
-- several keys names those of its starts and sends; the workflow ids of runs that it locks come from their rows.
CREATE FUNCTION perdure.flush_2(
    _process uuid, _lane integer, _number bigint, _commits integer, _digest integer, _limits bigint[], _careful boolean,
    _tenants text[], _done_commit integer[], _done_tenant integer[], _done_id uuid[], _done_token uuid[],
    _group_queue integer[], _group_key text[], _queue_tenant text[], _queue_name text[],
    _send_commit integer[], _send_queue integer[], _send_id uuid[],
    _send_delay bigint[], _send_group integer[], _send_headers text[], _send_body text[],
    _line_tenant text[], _line_workflow text[], _line_version integer[], _line_kind text[], _line_queue text[],
    _start_id uuid[], _start_line integer[], _start_input text[], _start_writes text[], _start_tags text[], _start_parent uuid[],
    _start_retention integer[], _start_deadline bigint[], _start_ready bigint[], _start_token uuid[], _start_lease bigint[],
    _step_commit integer[], _step_tenant integer[], _step_run uuid[], _step_token uuid[], _step_seq bigint[],
    _step_until bigint[], _step_event text[], _step_kind integer[],
    _more_step integer[], _more_seq bigint[], _more_until bigint[], _more_event text[],
    _held_step integer[], _held_status text[], _held_output text[], _held_error text[], _held_ready bigint[],
    _runs uuid[], _run_messages uuid[], _messages uuid[],
    _key_tenant text[], _key_scope text[], _key_within text[], _key_value text[], _key_holder uuid[], _key_detail text[],
    _doc_commit integer[], _doc text[],
    OUT known text, OUT newest bigint, OUT at bigint, OUT commits integer, OUT digest integer, OUT outcomes text[],
    OUT ready text[])
LANGUAGE plpgsql VOLATILE
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET enable_material = off
SET enable_bitmapscan = off SET enable_memoize = off SET plan_cache_mode = force_generic_plan SET jit = off
AS $$
DECLARE
    _lane_id bigint;
    _lost integer[];
    _left_by integer[];
    _left_queue bigint[];
    _left_group text[];
    _left_seq bigint[];
    _one integer;
    _answer jsonb;
    _back boolean;
    _locked record;
    _parents uuid[] := '{}';
    _more_ready text[];
    _ended_tenant text[];
    _ended_workflow text[];
    _ended_status text[];
    _counted jsonb[];
    _changed record;
BEGIN
    _lane_id := perdure.next_in_lane_1(_process, _lane, _number);
    IF _lane_id IS NULL THEN
        SELECT a.* INTO known, newest, at, commits, digest, outcomes FROM perdure.answered_1(_process, _lane, _number) a;
        RETURN;
    END IF;
    known := 'next';
    newest := _number;
    commits := _commits;
    digest := _digest;
    at := perdure.clock_1();

    -- Before any group, as a receive locks them that takes messages out. Where there are no documents the acknowledgements have their order.
    IF _messages IS NOT NULL THEN
        PERFORM 1 FROM perdure.message m WHERE m.id = ANY (_messages || coalesce(_done_id, '{}')) ORDER BY m.id FOR UPDATE;
    END IF;
    IF _done_id IS NOT NULL THEN
        SELECT a.lost, ARRAY(SELECT _done_commit[l] FROM unnest(a.left_by) WITH ORDINALITY o (l, place) ORDER BY o.place),
               a.left_queue, a.left_group, a.left_seq, a.ready
        INTO _lost, _left_by, _left_queue, _left_group, _left_seq, ready
        FROM perdure.acknowledge_1(_lane_id, _tenants, _done_tenant, _done_id, _done_token) a;
        FOREACH _one IN ARRAY coalesce(_lost, '{}') LOOP
            outcomes[_done_commit[_one]] := '{"is": "lost"}';
        END LOOP;
        IF _send_id IS NULL AND _left_queue IS NOT NULL THEN
            PERFORM perdure.leave_groups_1(_left_queue, _left_group, _left_seq);
        END IF;
    END IF;
    IF _send_id IS NOT NULL THEN
        FOR _one, _answer IN
            SELECT s.place, s.outcome
            FROM perdure.send_all_1(at, _lane_id, _queue_tenant, _queue_name, _group_queue, _group_key, _send_commit,
                                    _send_queue, _send_id, _send_delay, _send_group, _send_headers, _send_body,
                                    _left_by, _left_queue, _left_group, _left_seq) s
        LOOP
            outcomes[_one] := _answer::text;
        END LOOP;
    END IF;
    IF _start_id IS NOT NULL THEN
        PERFORM perdure.start_all_1(at, _line_tenant, _line_workflow, _line_version, _line_kind, _line_queue, _start_id,
                                    _start_line, _start_input, _start_writes, _start_tags, _start_parent, _start_retention,
                                    _start_deadline, _start_ready, _start_token, _start_lease);
    END IF;
    -- What the documents are about, and what ends, is locked before the first of them, in one order for all: two batches that
    -- meet the same rows wait for each other once, and not crosswise.
    IF _runs IS NOT NULL THEN
        SELECT l.* INTO _locked FROM perdure.lock_runs_2(_runs) l;
        _parents := _locked.parents;
        IF _key_value IS NOT NULL OR cardinality(_locked.workflow_ids) > 1 THEN
            _key_scope := _key_scope || array_fill('workflow id'::text, ARRAY[coalesce(cardinality(_locked.workflow_ids), 0)]);
            _key_tenant := _key_tenant || _locked.tenants;
            _key_within := _key_within || _locked.workflows;
            _key_value := _key_value || _locked.workflow_ids;
        END IF;
    END IF;
    -- The same for the messages of runs, together with those that plain steps let go of: an extension takes them in this order too. Where there are
    -- keys, before them. So it is with those of steps whose lease is about to end: advance_all_2 locks these too.
    IF _run_messages IS NOT NULL OR (_key_value IS NOT NULL AND _step_run IS NOT NULL) THEN
        PERFORM 1 FROM perdure.run_message m
        WHERE m.run = ANY (coalesce(_run_messages, '{}') || _parents
                           || ARRAY(SELECT s.run FROM unnest(_step_run, _step_kind, _step_tenant) s (run, kind, tenant)
                                    WHERE s.kind > 0
                                       OR (SELECT n.ready_at < at + _limits[4] FROM perdure.run_message n
                                           WHERE n.run = s.run AND n.tenant = _tenants[s.tenant] LIMIT 1)))
        ORDER BY m.run FOR NO KEY UPDATE;
    END IF;
    IF _key_value IS NOT NULL THEN
        PERFORM perdure.lock_keys_1(_key_tenant, _key_scope, _key_within, _key_value, _key_holder, _key_detail);
    END IF;
    IF _step_run IS NOT NULL THEN
        -- Every event has the time of a batch, which is there or was removed.
        _back := at < greatest((SELECT b.at FROM perdure.lane_batch b ORDER BY b.at DESC LIMIT 1),
                               (SELECT last_value FROM perdure.latest_removed_batch));
        SELECT a.lost, a.ready, a.count_tenant, a.count_workflow, a.count_status
        INTO _lost, _more_ready, _ended_tenant, _ended_workflow, _ended_status
        FROM perdure.advance_all_2(at, at + _limits[4], coalesce(_back, false), _careful, _tenants, _parents, _step_tenant, _step_run, _step_token,
                                   _step_seq, _step_until, _step_event, _step_kind,
                                   _more_step, _more_seq, _more_until, _more_event,
                                   _held_step, _held_status, _held_output, _held_error, _held_ready) a;
        ready := perdure.both_ready_1(ready, _more_ready);
    END IF;
    IF _step_run IS NOT NULL AND _lost IS NOT NULL THEN
        -- The steps that were not plain take their places among the documents.
        SELECT array_agg(d.commit ORDER BY d.commit), array_agg(d.document ORDER BY d.commit) INTO _doc_commit, _doc
        FROM (SELECT g.commit, g.document FROM unnest(_doc_commit, _doc) g (commit, document)
              UNION ALL
              SELECT _step_commit[l], perdure.step_document_1(
                  l, at, _tenants, _step_tenant, _step_run, _step_token, _step_seq, _step_until, _step_event,
                  _more_step, _more_until, _more_event, _held_step, _held_status, _held_output, _held_error,
                  _held_ready)::text
              FROM unnest(_lost) l) d;
    END IF;
    FOR _one IN 1 .. coalesce(cardinality(_doc), 0) LOOP
        _answer := perdure.apply_1(_doc[_one]::jsonb, at, _lane_id, _limits);
        IF _answer ? 'counted' THEN
            _counted := _counted || (_answer->'counted');
            _answer := _answer - 'counted';
        END IF;
        outcomes[_doc_commit[_one]] := _answer::text;
    END LOOP;
    IF cardinality(_key_value) > coalesce(cardinality(_key_holder), 0) OR array_position(_key_holder, NULL) IS NOT NULL THEN
        PERFORM perdure.leave_keys_1(_key_tenant, _key_scope, _key_within, _key_value);
    END IF;

    -- Filled up to the last place, so that the first is the first.
    IF outcomes IS NULL THEN
        outcomes := '{}';
    ELSE
        outcomes := ARRAY(SELECT outcomes[i] FROM generate_series(1, _commits) i);
    END IF;
    IF _start_id IS NOT NULL OR _ended_tenant IS NOT NULL OR _counted IS NOT NULL THEN
        SELECT c.* INTO _changed FROM perdure.changed_counts_1(
            _line_tenant, _line_workflow, _start_line, _ended_tenant, _ended_workflow, _ended_status, _counted) c;
        INSERT INTO perdure.lane_batch (process, lane, number, at, commits, digest, outcomes,
                                        count_tenant, count_workflow, count_status, count_runs)
        VALUES (_process, _lane, _number, at, _commits, _digest, outcomes,
                _changed.tenants, _changed.workflows, _changed.statuses, _changed.runs);
    ELSE
        INSERT INTO perdure.lane_batch (process, lane, number, at, commits, digest, outcomes)
        VALUES (_process, _lane, _number, at, _commits, _digest, outcomes);
    END IF;
END $$;

CREATE OR REPLACE FUNCTION perdure.flush_start_2(
    _process uuid, _lane integer, _number bigint, _digest integer,
    _tenant text, _id uuid, _workflow text, _version integer, _kind text, _queue text, _input text, _writes text, _tags text,
    _parent uuid, _retention integer, _deadline bigint, _ready bigint, _token uuid, _lease bigint,
    OUT known text, OUT newest bigint, OUT at bigint, OUT commits integer, OUT digest integer, OUT outcomes text[],
    OUT ready text[])
LANGUAGE plpgsql VOLATILE
SET enable_seqscan = off SET enable_bitmapscan = off SET plan_cache_mode = force_generic_plan
AS $$
DECLARE
    _latest bigint;
BEGIN
    IF perdure.next_in_lane_1(_process, _lane, _number) IS NULL THEN
        SELECT a.* INTO known, newest, at, commits, digest, outcomes FROM perdure.answered_1(_process, _lane, _number) a;
        RETURN;
    END IF;
    at := perdure.clock_1();
    INSERT INTO perdure.run (tenant, id, workflow, version_named, version, kind, status, input, writes, parent, tags,
                             retention_days, deadline, started_at)
    VALUES (_tenant, _id, _workflow, _version, _version, _kind, 'running', _input, _writes, _parent, _tags,
            _retention, perdure.fixed_1(_deadline, at), at);
    IF _tags IS NOT NULL THEN
        PERFORM perdure.tag_1(_tenant, _id, _tags, at);
    END IF;
    IF _lease IS NOT NULL THEN
        -- Not PERFORM: an expression needs no plan.
        _latest := perdure.latest_lease_1(at, _lease);
    END IF;
    INSERT INTO perdure.run_message (tenant, run, deadline, queue, ready_at, token, lease_micros)
    VALUES (_tenant, _id, perdure.fixed_1(_deadline, at), _queue,
            CASE WHEN _token IS NULL THEN least(perdure.fixed_1(_deadline, at), perdure.fixed_1(_ready, at))
                 ELSE least(253402300799999999, at + _lease) END,
            _token, coalesce(_lease, 0));
    known := 'next';
    newest := _number;
    commits := 1;
    digest := _digest;
    outcomes := '{}';
    INSERT INTO perdure.lane_batch (process, lane, number, at, commits, digest, outcomes,
                                    count_tenant, count_workflow, count_status, count_runs)
    VALUES (_process, _lane, _number, at, 1, _digest, outcomes, ARRAY[_tenant], ARRAY[_workflow], '{running}', '{1}');
END $$;

-- A step that is not plain after all, or has lost its lease or its number: advance_1 judges it.
CREATE FUNCTION perdure.step_alone_1(
    _now bigint, _lane bigint, _limits bigint[], _tenant text, _run uuid, _token uuid, _seq bigint, _until bigint[],
    _event text[], _kind integer, _status text, _output text, _error text, _ready_at bigint, _signal bigint,
    _signal_event text) RETURNS jsonb
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    _rest integer[] := array_fill(1, ARRAY[greatest(0, coalesce(cardinality(_event), 0) - 1)]);
BEGIN
    IF _kind = 2 THEN
        PERFORM perdure.lock_runs_2(ARRAY[_run]);
    END IF;
    RETURN perdure.advance_1(
        perdure.step_document_1(1, _now, ARRAY[_tenant], ARRAY[1], ARRAY[_run], ARRAY[_token], ARRAY[_seq],
                                _until[:1], _event[:1], _rest, _until[2:], _event[2:],
                                ARRAY[1], ARRAY[_status], ARRAY[_output], ARRAY[_error], ARRAY[_ready_at])
        || CASE WHEN _signal IS NULL THEN '{}' ELSE jsonb_build_object('signals', jsonb_build_array(
               jsonb_build_object('number', _signal, 'event', _signal_event))) END,
        _now, _lane, _limits);
END $$;

-- "_kind" is 0 for a step that keeps its lease, 1 for a release, 2 for an end. It may take one signal.
CREATE OR REPLACE FUNCTION perdure.flush_step_2(
    _process uuid, _lane integer, _number bigint, _digest integer, _limits bigint[],
    _tenant text, _run uuid, _token uuid, _seq bigint, _until bigint[], _event text[], _kind integer,
    _status text, _output text, _error text, _ready_at bigint, _signal bigint, _signal_event text,
    OUT known text, OUT newest bigint, OUT at bigint, OUT commits integer, OUT digest integer, OUT outcomes text[],
    OUT ready text[])
LANGUAGE plpgsql VOLATILE
SET enable_seqscan = off SET enable_bitmapscan = off SET plan_cache_mode = force_generic_plan
AS $$
DECLARE
    _lane_id bigint;
    _holds boolean;
    _workflow text;
    _started_at bigint;
    _due bigint;
    _queue text;
    _answer jsonb;
    _changed record;
BEGIN
    _lane_id := perdure.next_in_lane_1(_process, _lane, _number);
    IF _lane_id IS NULL THEN
        SELECT a.* INTO known, newest, at, commits, digest, outcomes FROM perdure.answered_1(_process, _lane, _number) a;
        RETURN;
    END IF;
    known := 'next';
    newest := _number;
    commits := 1;
    digest := _digest;
    at := perdure.clock_1();
    outcomes := '{}';
    IF _kind = 0 THEN
        -- A lease that is about to end needs a lock. Otherwise the number is the gate, and all that is asked for.
        INSERT INTO perdure.event (tenant, run, seq, at, until, event)
        SELECT _tenant, _run, _seq, at, perdure.fixed_1(_until[1], at), _event[1]
        FROM perdure.run_message m LEFT JOIN LATERAL (
            SELECT e.seq, e.at AS since FROM perdure.event e WHERE e.run = _run AND e.tenant = _tenant
            ORDER BY e.seq DESC LIMIT 1) l ON true
        WHERE m.run = _run AND m.tenant = _tenant AND m.token = _token AND m.ready_at >= at + _limits[4]
          AND _seq - 1 = coalesce(l.seq, 0)
          AND at >= coalesce(l.since, (SELECT r.started_at FROM perdure.run r WHERE r.id = _run AND r.tenant = _tenant))
          AND (_signal IS NULL OR (SELECT s.event = _signal_event FROM perdure.signal s
                                   WHERE s.run = _run AND s.number = _signal AND s.tenant = _tenant));
        _holds := FOUND;
    ELSE
        -- What is read of the run never changes. The lease may go yet, and is asked for again when it is given up.
        SELECT m.token = _token AND _seq - 1 = coalesce(l.seq, 0) AND at >= coalesce(l.since, r.started_at)
               AND (_kind = 1 OR (r.parent IS NULL AND r.workflow_id IS NULL))
               AND (_signal IS NULL OR coalesce((SELECT s.event = _signal_event FROM perdure.signal s
                                                 WHERE s.run = _run AND s.number = _signal AND s.tenant = _tenant), false)),
               r.workflow, r.started_at,
               CASE WHEN _kind = 1 THEN least(perdure.fixed_1(_ready_at, at), r.deadline)
                    WHEN _status <> 'parked' THEN at + r.retention_days * 86400000000 END
        INTO _holds, _workflow, _started_at, _due
        FROM perdure.run r, perdure.run_message m LEFT JOIN LATERAL (
            SELECT e.seq, e.at AS since FROM perdure.event e WHERE e.run = _run AND e.tenant = _tenant
            ORDER BY e.seq DESC LIMIT 1) l ON true
        WHERE r.id = _run AND r.tenant = _tenant AND m.run = _run AND m.tenant = _tenant;
    END IF;
    IF _holds IS NOT TRUE THEN
        _answer := perdure.step_alone_1(at, _lane_id, _limits, _tenant, _run, _token, _seq, _until, _event, _kind,
                                        _status, _output, _error, _ready_at, _signal, _signal_event);
        outcomes := ARRAY[(_answer - 'counted')::text];
        SELECT c.* INTO _changed FROM perdure.changed_counts_1(
            NULL, NULL, NULL, NULL, NULL, NULL, ARRAY[_answer->'counted']) c;
        INSERT INTO perdure.lane_batch (process, lane, number, at, commits, digest, outcomes,
                                        count_tenant, count_workflow, count_status, count_runs)
        VALUES (_process, _lane, _number, at, 1, _digest, outcomes,
                _changed.tenants, _changed.workflows, _changed.statuses, _changed.runs);
    ELSE
        IF _kind = 1 THEN
            UPDATE perdure.run_message m
            SET token = NULL, wake_on = '{}', ready_at = _due,
                lapses = CASE WHEN _event[1] IS NULL AND m.leased_at_seq = _seq - 1 THEN m.lapses ELSE 0 END
            WHERE m.run = _run AND m.tenant = _tenant AND m.token = _token RETURNING m.queue INTO _queue;
            _holds := FOUND;
            IF _due <= at THEN
                ready := ARRAY[_tenant, _queue];
            END IF;
        ELSIF _kind = 2 THEN
            UPDATE perdure.run r SET status = _status, output = _output, error = _error,
                completed_at = CASE WHEN _status <> 'parked' THEN at END
            WHERE r.id = _run AND r.tenant = _tenant AND r.status = 'running';
            DELETE FROM perdure.run_message m WHERE m.run = _run AND m.tenant = _tenant AND m.token = _token;
            _holds := FOUND;
            INSERT INTO perdure.run_at_rest (tenant, workflow, status, at, run, retires_at)
            VALUES (_tenant, _workflow, _status, CASE WHEN _status <> 'parked' THEN at ELSE _started_at END, _run, _due);
        END IF;
        IF NOT _holds THEN
            -- Nothing of this is kept, and the next attempt sees what became of the lease.
            RAISE EXCEPTION 'The lease of run % went to somebody else at this moment.', _run
            USING ERRCODE = 'serialization_failure';
        END IF;
        IF _kind > 0 OR cardinality(_event) > 1 THEN
            INSERT INTO perdure.event (tenant, run, seq, at, until, event)
            SELECT _tenant, _run, _seq + e.place - 1, at, perdure.fixed_1(_until[e.place], at), _event[e.place]
            FROM generate_series(CASE WHEN _kind > 0 THEN 1 ELSE 2 END, cardinality(_event)) e (place);
        END IF;
        IF _signal IS NOT NULL THEN
            -- Only the holder of the lease takes from the mailbox: what was there is there.
            DELETE FROM perdure.signal s WHERE s.run = _run AND s.number = _signal AND s.tenant = _tenant;
        END IF;
        INSERT INTO perdure.lane_batch (process, lane, number, at, commits, digest, outcomes,
                                        count_tenant, count_workflow, count_status, count_runs)
        VALUES (_process, _lane, _number, at, 1, _digest, outcomes,
                CASE WHEN _kind = 2 THEN ARRAY[_tenant, _tenant] END, CASE WHEN _kind = 2 THEN ARRAY[_workflow, _workflow] END,
                CASE WHEN _kind = 2 THEN ARRAY[_status, 'running'] END, CASE WHEN _kind = 2 THEN '{1,-1}'::bigint[] END);
    END IF;
END $$;

-- When a lane was opened, or its newest batch applied, whichever was later.
CREATE FUNCTION perdure.last_used_1(_lane perdure.lane) RETURNS bigint
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    RETURN greatest(_lane.last_used, (SELECT b.at FROM perdure.lane_batch b
                                      WHERE b.process = _lane.process AND b.lane = _lane.number
                                      ORDER BY b.number DESC LIMIT 1));
END $$;

-- Folds lanes that have an old batch which is not folded; returns how many. Lanes that are busy fold what they have counted themselves, so these are
-- few, all processes together. In a transaction of its own, because commits of these lanes wait meanwhile.
CREATE FUNCTION perdure.fold_lanes_1() RETURNS integer
LANGUAGE plpgsql VOLATILE
SET enable_hashjoin = off SET enable_mergejoin = off SET enable_material = off
SET enable_bitmapscan = off SET enable_memoize = off SET plan_cache_mode = force_generic_plan SET jit = off
AS $$
DECLARE
    _now bigint := perdure.clock_1();
    _lane perdure.lane;
    _folded integer := 0;
BEGIN
    FOR _lane IN
        SELECT l.* FROM perdure.lane l
        WHERE EXISTS (SELECT 1 FROM perdure.lane_batch b
                      WHERE b.process = l.process AND b.lane = l.number AND b.number > l.folded AND b.at < _now - 10000000)
        ORDER BY l.process, l.number FOR UPDATE SKIP LOCKED
    LOOP
        PERFORM perdure.fold_lane_1(_lane.process, _lane.number);
        _folded := _folded + 1;
    END LOOP;
    RETURN _folded;
END $$;

-- Lanes that fell silent go with all they hold, and what they counted goes over to lane 0. Of the others go old batches, save
-- the newest and those that are not folded yet. Nothing goes while another call removes some: that one goes on.
CREATE OR REPLACE FUNCTION perdure.sweep_lanes_1(_limit integer, _lanes_kept bigint, _batches_kept bigint) RETURNS integer
LANGUAGE plpgsql VOLATILE
SET enable_hashjoin = off SET enable_mergejoin = off SET enable_material = off
SET enable_bitmapscan = off SET enable_memoize = off SET plan_cache_mode = force_generic_plan SET jit = off
AS $$
DECLARE
    _now bigint := perdure.clock_1();
    _lane perdure.lane;
    _gone bigint[] := '{}';
    _swept integer;
    _more integer;
    _latest bigint;
BEGIN
    IF NOT pg_try_advisory_xact_lock(hashtextextended('perdure.sweep_lanes', 0)) THEN
        RETURN 0;
    END IF;
    _latest := (SELECT b.at FROM perdure.lane_batch b ORDER BY b.at DESC LIMIT 1);
    IF _latest > (SELECT last_value FROM perdure.latest_removed_batch) THEN
        PERFORM setval('perdure.latest_removed_batch', _latest);
    END IF;
    FOR _lane IN
        SELECT l.* FROM perdure.lane l
        WHERE perdure.last_used_1(l) < _now - _lanes_kept
        ORDER BY perdure.last_used_1(l) LIMIT _limit FOR UPDATE SKIP LOCKED
    LOOP
        -- A flush that has ended since may have used it, which its row does not tell.
        CONTINUE WHEN perdure.last_used_1(_lane) >= _now - _lanes_kept;
        PERFORM perdure.fold_lane_1(_lane.process, _lane.number);
        DELETE FROM perdure.lane_batch WHERE process = _lane.process AND lane = _lane.number;
        DELETE FROM perdure.lane WHERE process = _lane.process AND number = _lane.number;
        _gone := _gone || _lane.id;
    END LOOP;
    _swept := cardinality(_gone);
    IF _swept > 0 THEN
        -- Once for all of them, in one order for all who sweep.
        WITH left_behind AS (DELETE FROM perdure.queue_count n WHERE n.lane = ANY (_gone) RETURNING n.*)
        SELECT count(*) INTO _more FROM (
            SELECT perdure.count_1(n.queue, 0, sum(n.came_in)::bigint, sum(n.went_out)::bigint, sum(n.retried)::bigint,
                                   sum(n.dead_lettered)::bigint, sum(n.expired)::bigint)
            FROM left_behind n GROUP BY n.queue ORDER BY n.queue) moved;
        WITH left_behind AS (DELETE FROM perdure.run_count n WHERE n.lane = ANY (_gone) RETURNING n.*)
        SELECT count(*) INTO _more FROM (
            SELECT perdure.count_run_1(n.tenant, n.workflow, n.status, 0, sum(n.runs)::bigint)
            FROM left_behind n GROUP BY n.tenant, n.workflow, n.status ORDER BY n.tenant, n.workflow, n.status) moved;
    END IF;
    WITH old AS (
        SELECT o.process, o.lane, o.number FROM perdure.lane_batch o
        WHERE o.at < _now - _batches_kept
          AND o.number <= (SELECT l.folded FROM perdure.lane l WHERE l.process = o.process AND l.number = o.lane)
          AND o.number < perdure.newest_in_lane_1(o.process, o.lane)
        ORDER BY o.at LIMIT _limit - _swept FOR UPDATE SKIP LOCKED
    )
    DELETE FROM perdure.lane_batch b USING old
    WHERE b.process = old.process AND b.lane = old.lane AND b.number = old.number;
    GET DIAGNOSTICS _more = ROW_COUNT;
    RETURN _swept + _more;
END $$;
