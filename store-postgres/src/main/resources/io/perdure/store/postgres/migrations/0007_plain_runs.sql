-- works with releases that know migration 1
--
-- Plain starts and plain steps, which is nearly all that a busy engine commits: many rows to a statement. The rules are those of
-- start_1 and advance_1. What turns out not to be plain is handed back as documents for those.
--
-- Every lookup is a subquery with LIMIT 1, which can only be run row by row over an index: a join could be turned around by a
-- planner that takes a table for small. Rows that are locked are changed by their place, which nobody else can move.

-- When something becomes due: from 0 on a time, below it a delay, the more negative the longer; null for no time at all.
CREATE FUNCTION perdure.fixed_1(_due bigint, _now bigint) RETURNS bigint
LANGUAGE sql IMMUTABLE AS $$
    SELECT CASE WHEN _due < 0 THEN least(253402300799999999, _now - _due - 1)
                WHEN _due >= 0 THEN least(253402300799999999, _due) END
$$;

-- Plain starts: neither idempotency key nor workflow id. Ids are made by the caller and all but never met before. Where one is,
-- the call fails and the caller goes one by one. "_what" tells which of the lines, a workflow and version each, a run is of.
CREATE FUNCTION perdure.start_all_1(
    _now bigint, _line_tenant text[], _line_workflow text[], _line_version integer[], _line_kind text[], _line_queue text[],
    _id uuid[], _what integer[], _input text[], _writes text[], _tags text[], _parent uuid[], _retention integer[],
    _deadline bigint[], _ready bigint[], _token uuid[], _lease bigint[]) RETURNS void
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    INSERT INTO perdure.run (tenant, id, workflow, version_named, version, kind, status, input, writes, parent, tags,
                             retention_days, deadline, started_at)
    SELECT _line_tenant[s.what], s.id, _line_workflow[s.what], _line_version[s.what], _line_version[s.what],
           _line_kind[s.what], 'running', s.input, s.writes, s.parent, s.tags, s.retention,
           perdure.fixed_1(s.deadline, _now), _now
    FROM unnest(_id, _what, _input, _writes, _tags, _parent, _retention, _deadline)
         s (id, what, input, writes, tags, parent, retention, deadline);
    IF _tags IS NOT NULL THEN
        INSERT INTO perdure.run_tag (tenant, name, value, started_at, run)
        SELECT _line_tenant[s.what], t.key, t.value, _now, s.id
        FROM unnest(_id, _what, _tags) s (id, what, tags), LATERAL jsonb_each_text(s.tags::jsonb) t;
    END IF;
    IF _lease IS NOT NULL THEN
        PERFORM perdure.latest_lease_1(_now, (SELECT min(l) FROM unnest(_lease) l));
    END IF;
    INSERT INTO perdure.run_message (tenant, run, deadline, queue, ready_at, token, lease_micros)
    SELECT _line_tenant[s.what], s.id, perdure.fixed_1(s.deadline, _now), _line_queue[s.what],
           CASE WHEN s.token IS NULL THEN least(perdure.fixed_1(s.deadline, _now), perdure.fixed_1(s.ready, _now))
                ELSE least(253402300799999999, _now + s.lease) END,
           s.token, coalesce(s.lease, 0)
    FROM unnest(_id, _what, _deadline, _ready, _token, _lease) s (id, what, deadline, ready, token, lease);
END $$;

-- Which steps hold: their lease does, their number is next, and they are as plain as they look. What was seen of a lease before is
-- 0 where it was lost, 1 where it lasts for longer than this call, 2 where its message was locked then and is to be asked now.
CREATE FUNCTION perdure.steps_hold_1(_lease integer[], _tenants text[], _parents uuid[], _tenant integer[],
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
            -- Who ends frees its workflow id and tells its parent, and a parent may be told before it ends: all in the order
            -- of the batch.
            AND (a.kind < 2 OR (a.run <> ALL (_parents)
                                AND (SELECT r.parent IS NULL AND r.workflow_id IS NULL FROM perdure.run r
                                     WHERE r.id = a.run AND r.tenant = _tenants[a.tenant] LIMIT 1))), false)
        FROM unnest(_lease, _tenant, _run, _token, _seq, _kind) a (lease, tenant, run, token, seq, kind));
END $$;

-- Appends the first events of the steps that hold: the number is the gate, which somebody else may have gone through since. The
-- call fails then, and is made again with care: to ask about each row costs twice as much as the row. Answers which steps hold
-- still.
CREATE FUNCTION perdure.append_all_1(_now bigint, _careful boolean, _hold boolean[], _tenants text[], _tenant integer[],
                                     _run uuid[], _seq bigint[], _until bigint[], _event text[]) RETURNS boolean[]
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    _won uuid[];
BEGIN
    IF NOT _careful THEN
        INSERT INTO perdure.event (tenant, run, seq, at, until, event)
        SELECT _tenants[a.tenant], a.run, a.seq, _now, perdure.fixed_1(a.until, _now), a.event
        FROM unnest(_hold, _tenant, _run, _seq, _until, _event) a (hold, tenant, run, seq, until, event)
        WHERE a.hold AND a.event IS NOT NULL;
        RETURN _hold;
    END IF;
    WITH appended AS (
        INSERT INTO perdure.event (tenant, run, seq, at, until, event)
        SELECT _tenants[a.tenant], a.run, a.seq, _now, perdure.fixed_1(a.until, _now), a.event
        FROM unnest(_hold, _tenant, _run, _seq, _until, _event) a (hold, tenant, run, seq, until, event)
        WHERE a.hold AND a.event IS NOT NULL
        ON CONFLICT (run, seq, tenant) DO NOTHING
        RETURNING run
    )
    SELECT coalesce(array_agg(run), '{}') INTO _won FROM appended;
    RETURN ARRAY(SELECT a.hold AND (a.event IS NULL OR a.run = ANY (_won))
                 FROM unnest(_hold, _run, _event) a (hold, run, event));
END $$;

-- Plain steps: events, and the end of the run or its release until a time. Of each run one step, in the order of the runs. The
-- runs that end are locked. "_kind" is 0 for a step that keeps its lease, 1 for a release, 2 for an end. Of events after the
-- first "_more_step" tells the step; of ends and releases "_held_step".
--
-- Answers the places of steps that are not plain after all, or lost: those are for advance_1 to judge. Also the queues in which
-- something became ready, tenants first and then names; and how many runs of a workflow ended how.
CREATE FUNCTION perdure.advance_all_1(
    _now bigint, _sure bigint, _careful boolean, _tenants text[], _parents uuid[],
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
    _hold := perdure.steps_hold_1(_lease, _tenants, _parents, _tenant, _run, _token, _seq, _kind);
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
                    WHERE x.run = _run[h.step] AND x.tenant = _tenants[_tenant[h.step]] LIMIT 1) AS place
            FROM unnest(_held_step, _ready_at) h (step, ready_at)
            WHERE h.ready_at IS NOT NULL AND _hold[h.step] OFFSET 0
        ), changed AS (
            UPDATE perdure.run_message m SET token = NULL, lapses = 0, wake_on = '{}', ready_at = r.ready_at
            FROM released r WHERE m.ctid = r.place
            RETURNING m.tenant, m.queue, m.ready_at
        ), due AS (
            SELECT DISTINCT c.tenant, c.queue FROM changed c WHERE c.ready_at <= _now
        )
        SELECT array_agg(d.tenant) || array_agg(d.queue) INTO ready FROM due d;
    END IF;
END $$;

-- A step as a document, as advance_1 takes it.
CREATE FUNCTION perdure.step_document_1(
    _step integer, _now bigint, _tenants text[],
    _tenant integer[], _run uuid[], _token uuid[], _seq bigint[], _until bigint[], _event text[],
    _more_step integer[], _more_until bigint[], _more_event text[],
    _held_step integer[], _status text[], _output text[], _error text[], _ready_at bigint[]) RETURNS jsonb
LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
    _held integer := array_position(_held_step, _step);
    _events jsonb := '[]';
    _after jsonb;
BEGIN
    IF _event[_step] IS NOT NULL THEN
        _events := jsonb_build_array(
            jsonb_build_object('event', _event[_step], 'until', perdure.due_document_1(_until[_step], _now)))
            || (SELECT coalesce(jsonb_agg(jsonb_build_object(
                    'event', e.event, 'until', perdure.due_document_1(e.until, _now)) ORDER BY e.place), '[]')
                FROM unnest(_more_step, _more_until, _more_event) WITH ORDINALITY e (step, until, event, place)
                WHERE e.step = _step);
    END IF;
    IF _status[_held] IS NOT NULL THEN
        _after := jsonb_build_object(
            'status', _status[_held], 'output', _output[_held], 'error', _error[_held],
            'notice', jsonb_build_object(
                'event', '__child.' || _run[_step],
                'payload', '{"child":"' || _run[_step] || '","status":"' || _status[_held] || '"'
                    || coalesce(',"output":' || _output[_held], '') || coalesce(',"error":' || _error[_held], '') || '}'));
    END IF;
    RETURN jsonb_build_object(
        'do', 'advance', 'tenant', _tenants[_tenant[_step]], 'run', _run[_step], 'token', _token[_step], 'seq', _seq[_step],
        'events', _events, 'ends', _after IS NOT NULL, 'signals', '[]'::jsonb, 'sends', '[]'::jsonb, 'after', _after,
        'release', CASE WHEN _ready_at[_held] IS NOT NULL THEN jsonb_build_object(
            'ready', perdure.due_document_1(_ready_at[_held], _now), 'wakeOn', '[]'::jsonb, 'wakes', 0) END);
END $$;

CREATE FUNCTION perdure.due_document_1(_due bigint, _now bigint) RETURNS jsonb
LANGUAGE sql IMMUTABLE AS $$
    SELECT CASE WHEN _due IS NOT NULL THEN jsonb_build_object('at', perdure.fixed_1(_due, _now)) END
$$;

-- Counts what plain starts and plain ends changed, each workflow and status once.
CREATE FUNCTION perdure.count_runs_1(_lane bigint, _line_tenant text[], _line_workflow text[], _start_line integer[],
                                     _ended_tenant text[], _ended_workflow text[], _ended_status text[]) RETURNS void
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    INSERT INTO perdure.run_count AS c (tenant, workflow, status, lane, runs)
    SELECT d.tenant, d.workflow, d.status, _lane, sum(d.runs)
    FROM (SELECT _line_tenant[s.line] AS tenant, _line_workflow[s.line] AS workflow, 'running' AS status, s.runs
          FROM (SELECT l AS line, count(*) AS runs FROM unnest(_start_line) l GROUP BY l) s
          UNION ALL
          SELECT e.tenant, e.workflow, c.status, c.runs
          FROM unnest(_ended_tenant, _ended_workflow, _ended_status) e (tenant, workflow, status),
               LATERAL (VALUES ('running', -1), (e.status, 1)) c (status, runs)) d
    GROUP BY 1, 2, 3 HAVING sum(d.runs) <> 0 ORDER BY 1, 2, 3
    ON CONFLICT (tenant, workflow, status, lane) DO UPDATE SET runs = c.runs + excluded.runs;
END $$;

-- Queues of which two functions said that something became ready: tenants first and then names, as each of them says it.
CREATE FUNCTION perdure.both_ready_1(_one text[], _other text[]) RETURNS text[]
LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
    _ones integer := cardinality(_one) / 2;
    _others integer := cardinality(_other) / 2;
BEGIN
    IF _one IS NULL OR _other IS NULL THEN
        RETURN coalesce(_one, _other);
    END IF;
    RETURN _one[:_ones] || _other[:_others] || _one[_ones + 1:] || _other[_others + 1:];
END $$;
