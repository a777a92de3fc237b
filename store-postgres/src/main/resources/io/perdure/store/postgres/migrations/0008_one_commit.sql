-- works with releases that know migration 1
--
-- Batches of one plain start, one plain step or one plain signal, which is nearly all that an engine at rest commits. To set up a
-- statement costs more than to look at a row: what pays for many rows does not for one. So here are few statements, each of a row
-- or two. The rules are those of start_all_1, advance_all_1 and signal_1, and the answers are those of flush_1.

CREATE FUNCTION perdure.flush_start_1(
    _process uuid, _lane integer, _number bigint, _digest integer,
    _tenant text, _id uuid, _workflow text, _version integer, _kind text, _queue text, _input text, _writes text, _tags text,
    _parent uuid, _retention integer, _deadline bigint, _ready bigint, _token uuid, _lease bigint,
    OUT known text, OUT newest bigint, OUT at bigint, OUT commits integer, OUT digest integer, OUT outcomes text[],
    OUT ready text[])
LANGUAGE plpgsql VOLATILE
SET enable_seqscan = off SET enable_bitmapscan = off SET plan_cache_mode = force_generic_plan
AS $$
DECLARE
    _lane_id bigint;
    _latest bigint;
BEGIN
    _lane_id := perdure.next_in_lane_1(_process, _lane, _number);
    IF _lane_id IS NULL THEN
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
    INSERT INTO perdure.run_count AS c (tenant, workflow, status, lane, runs)
    VALUES (_tenant, _workflow, 'running', _lane_id, 1)
    ON CONFLICT (tenant, workflow, status, lane) DO UPDATE SET runs = c.runs + 1;
    known := 'next';
    newest := _number;
    commits := 1;
    digest := _digest;
    outcomes := '{}';
    INSERT INTO perdure.lane_batch (process, lane, number, at, commits, digest, outcomes)
    VALUES (_process, _lane, _number, at, 1, _digest, outcomes);
END $$;

-- A step that is not plain after all, or has lost its lease or its number: advance_1 judges it.
CREATE FUNCTION perdure.step_alone_1(
    _now bigint, _lane bigint, _limits bigint[], _tenant text, _run uuid, _token uuid, _seq bigint, _until bigint[],
    _event text[], _kind integer, _status text, _output text, _error text, _ready_at bigint, _signal bigint,
    _signal_event text) RETURNS text
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    _rest integer[] := array_fill(1, ARRAY[greatest(0, coalesce(cardinality(_event), 0) - 1)]);
BEGIN
    IF _kind = 2 THEN
        PERFORM perdure.lock_runs_1(ARRAY[_run]);
    END IF;
    RETURN perdure.advance_1(
        perdure.step_document_1(1, _now, ARRAY[_tenant], ARRAY[1], ARRAY[_run], ARRAY[_token], ARRAY[_seq],
                                _until[:1], _event[:1], _rest, _until[2:], _event[2:],
                                ARRAY[1], ARRAY[_status], ARRAY[_output], ARRAY[_error], ARRAY[_ready_at])
        || CASE WHEN _signal IS NULL THEN '{}' ELSE jsonb_build_object('signals', jsonb_build_array(
               jsonb_build_object('number', _signal, 'event', _signal_event))) END,
        _now, _lane, _limits)::text;
END $$;

-- "_kind" is 0 for a step that keeps its lease, 1 for a release, 2 for an end. It may take one signal.
CREATE FUNCTION perdure.flush_step_1(
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
        FROM perdure.run_message m
        WHERE m.run = _run AND m.tenant = _tenant AND m.token = _token AND m.ready_at >= at + _limits[4]
          AND _seq - 1 = coalesce((SELECT e.seq FROM perdure.event e WHERE e.run = _run AND e.tenant = _tenant
                                   ORDER BY e.seq DESC LIMIT 1), 0)
          AND (_signal IS NULL OR (SELECT s.event = _signal_event FROM perdure.signal s
                                   WHERE s.run = _run AND s.number = _signal AND s.tenant = _tenant));
        _holds := FOUND;
    ELSE
        -- What is read of the run never changes. The lease may go yet, and is asked for again when it is given up.
        SELECT m.token = _token
               AND _seq - 1 = coalesce((SELECT e.seq FROM perdure.event e WHERE e.run = _run AND e.tenant = _tenant
                                        ORDER BY e.seq DESC LIMIT 1), 0)
               AND (_kind = 1 OR (r.parent IS NULL AND r.workflow_id IS NULL))
               AND (_signal IS NULL OR coalesce((SELECT s.event = _signal_event FROM perdure.signal s
                                                 WHERE s.run = _run AND s.number = _signal AND s.tenant = _tenant), false)),
               r.workflow, r.started_at,
               CASE WHEN _kind = 1 THEN least(perdure.fixed_1(_ready_at, at), r.deadline)
                    WHEN _status <> 'parked' THEN at + r.retention_days * 86400000000 END
        INTO _holds, _workflow, _started_at, _due
        FROM perdure.run r, perdure.run_message m
        WHERE r.id = _run AND r.tenant = _tenant AND m.run = _run AND m.tenant = _tenant;
    END IF;
    IF _holds IS NOT TRUE THEN
        outcomes := ARRAY[perdure.step_alone_1(at, _lane_id, _limits, _tenant, _run, _token, _seq, _until, _event, _kind,
                                               _status, _output, _error, _ready_at, _signal, _signal_event)];
    ELSE
        IF _kind = 1 THEN
            UPDATE perdure.run_message m SET token = NULL, lapses = 0, wake_on = '{}', ready_at = _due
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
            INSERT INTO perdure.run_count AS c (tenant, workflow, status, lane, runs)
            VALUES (_tenant, _workflow, _status, _lane_id, 1), (_tenant, _workflow, 'running', _lane_id, -1)
            ON CONFLICT (tenant, workflow, status, lane) DO UPDATE SET runs = c.runs + excluded.runs;
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
    END IF;
    INSERT INTO perdure.lane_batch (process, lane, number, at, commits, digest, outcomes)
    VALUES (_process, _lane, _number, at, 1, _digest, outcomes);
END $$;

-- A signal without a deduplication id. Where its run is over or its mailbox full, signal_1 says so. A run that waits for it in one
-- of "_queues" is leased at once under "_token"; woken_1 reads it then.
CREATE FUNCTION perdure.flush_signal_1(
    _process uuid, _lane integer, _number bigint, _digest integer, _limits bigint[],
    _tenant text, _run uuid, _event text, _payload text, _queues text[], _token uuid, _lease bigint,
    OUT known text, OUT newest bigint, OUT at bigint, OUT commits integer, OUT digest integer, OUT outcomes text[],
    OUT ready text[])
LANGUAGE plpgsql VOLATILE
SET enable_seqscan = off SET enable_bitmapscan = off SET plan_cache_mode = force_generic_plan
AS $$
DECLARE
    _letter bigint;
    _latest bigint;
    _queue text;
BEGIN
    IF perdure.next_in_lane_1(_process, _lane, _number) IS NULL THEN
        SELECT a.* INTO known, newest, at, commits, digest, outcomes FROM perdure.answered_1(_process, _lane, _number) a;
        RETURN;
    END IF;
    known := 'next';
    newest := _number;
    commits := 1;
    digest := _digest;
    at := perdure.clock_1();
    -- The lock comes with it, so that the mailbox is counted as it is.
    UPDATE perdure.run r SET wakes = r.wakes + 1
    WHERE r.id = _run AND r.tenant = _tenant AND r.status IN ('running', 'parked') RETURNING r.wakes INTO _letter;
    IF FOUND THEN
        INSERT INTO perdure.signal (tenant, run, number, event, payload, at)
        SELECT _tenant, _run, _letter, _event, _payload, at
        WHERE (SELECT count(*) FROM perdure.signal s WHERE s.run = _run AND s.tenant = _tenant) < _limits[2];
        IF NOT FOUND THEN
            UPDATE perdure.run r SET wakes = r.wakes - 1 WHERE r.id = _run AND r.tenant = _tenant;
            _letter := NULL;
        END IF;
    END IF;
    IF _letter IS NULL THEN
        outcomes := ARRAY[perdure.signal_1(jsonb_build_object(
            'tenant', _tenant, 'run', _run, 'event', _event, 'payload', _payload), at, _limits)::text];
    ELSE
        IF _token IS NOT NULL THEN
            UPDATE perdure.run_message m
            SET token = _token, lease_micros = _lease, ready_at = least(253402300799999999, at + _lease), wake_on = '{}',
                leased_at_seq = coalesce((SELECT e.seq FROM perdure.event e WHERE e.run = _run AND e.tenant = _tenant
                                          ORDER BY e.seq DESC LIMIT 1), 0)
            WHERE m.run = _run AND m.tenant = _tenant AND m.token IS NULL AND m.ready_at > at AND _event = ANY (m.wake_on)
              AND m.queue = ANY (_queues);
        END IF;
        IF _token IS NOT NULL AND FOUND THEN
            _latest := perdure.latest_lease_1(at, _lease);
        ELSE
            UPDATE perdure.run_message m SET ready_at = at
            WHERE m.run = _run AND m.tenant = _tenant AND m.token IS NULL AND m.ready_at > at AND _event = ANY (m.wake_on)
            RETURNING m.queue INTO _queue;
        END IF;
        -- The queue is remembered with the answer: who asks for it again tells others again.
        outcomes := ARRAY['{"is": "signalled", "number": ' || _letter || ', "created": true'
                          || coalesce(', "ready": ' || to_json(_queue), '') || '}'];
    END IF;
    INSERT INTO perdure.lane_batch (process, lane, number, at, commits, digest, outcomes)
    VALUES (_process, _lane, _number, at, 1, _digest, outcomes);
END $$;

-- The run that a signal has leased: one row for it, whose name is its tags, then one for each event, and one for each signal, which has a
-- name; no row where it was not leased. Where there is more than a connection holds without its reader's help, the first row is all there is, and has no
-- value: the locks of this transaction must not wait for a caller that has stopped.
CREATE FUNCTION perdure.woken_1(_tenant text, _queues text[], _run uuid, _token uuid)
RETURNS TABLE (line integer, lapses integer, leased_until bigint, number bigint, at bigint, until bigint, name text, value text,
               version_named integer, kind text, writes text, idempotency_key text, workflow_id text, parent uuid, wakes bigint)
LANGUAGE plpgsql VOLATILE
SET enable_seqscan = off SET enable_bitmapscan = off SET plan_cache_mode = force_generic_plan
AS $$
#variable_conflict use_column
DECLARE
    _line integer;
    _lapses integer;
    _until bigint;
    _fits boolean;
BEGIN
    SELECT array_position(_queues, m.queue), m.lapses, m.ready_at,
           (SELECT octet_length(r.input) + coalesce(octet_length(r.writes), 0) + coalesce(octet_length(r.tags), 0) <= 16384
            FROM perdure.run r WHERE r.id = _run AND r.tenant = _tenant)
           AND (SELECT count(*) <= 100 AND coalesce(sum(octet_length(e.event)), 0) <= 16384
                FROM (SELECT e.event FROM perdure.event e WHERE e.run = _run AND e.tenant = _tenant ORDER BY e.seq LIMIT 101) e)
           AND (SELECT count(*) <= 100 AND coalesce(sum(octet_length(s.payload)), 0) <= 16384
                FROM (SELECT s.payload FROM perdure.signal s WHERE s.run = _run AND s.tenant = _tenant ORDER BY s.number LIMIT 101) s)
    INTO _line, _lapses, _until, _fits
    FROM perdure.run_message m WHERE m.run = _run AND m.tenant = _tenant AND m.token = _token;
    IF _fits THEN
        RETURN QUERY
            SELECT _line, _lapses, _until, 0::bigint, r.started_at, r.deadline, r.tags, r.input,
                   r.version_named, r.kind, r.writes, r.idempotency_key, r.workflow_id, r.parent, r.wakes
            FROM perdure.run r WHERE r.id = _run AND r.tenant = _tenant
            UNION ALL
            SELECT NULL, NULL, NULL, e.seq, e.at, e.until, NULL, e.event, NULL, NULL, NULL, NULL, NULL, NULL, NULL
            FROM perdure.event e WHERE e.run = _run AND e.tenant = _tenant
            UNION ALL
            SELECT NULL, NULL, NULL, s.number, s.at, NULL, s.event, s.payload, NULL, NULL, NULL, NULL, NULL, NULL, NULL
            FROM perdure.signal s WHERE s.run = _run AND s.tenant = _tenant;
    ELSIF _line IS NOT NULL THEN
        line := _line;
        lapses := _lapses;
        leased_until := _until;
        RETURN NEXT;
    END IF;
END $$;
