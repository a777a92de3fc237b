-- works with releases that know migration 1
--
-- What commits do to runs. What depends on the kind of an event was worked out by the caller: the status it leads to, the
-- output, the notice to a parent. What depends on the database is decided here, under the locks that it needs.

CREATE FUNCTION perdure.count_run_1(_tenant text, _workflow text, _status text, _lane bigint, _more bigint) RETURNS void
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    INSERT INTO perdure.run_count AS c (tenant, workflow, status, lane, runs)
    VALUES (_tenant, _workflow, _status, _lane, _more)
    ON CONFLICT (tenant, workflow, status, lane) DO UPDATE SET runs = c.runs + excluded.runs;
END $$;

CREATE FUNCTION perdure.last_1(_tenant text, _run uuid) RETURNS bigint
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    RETURN (SELECT coalesce((SELECT seq FROM perdure.event WHERE run = _run AND tenant = _tenant ORDER BY seq DESC LIMIT 1), 0));
END $$;

CREATE FUNCTION perdure.status_1(_tenant text, _run uuid) RETURNS text
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    RETURN (SELECT status FROM perdure.run WHERE id = _run AND tenant = _tenant);
END $$;

-- The queue of runs of a workflow and version; of those without a version until a worker has claimed them.
CREATE FUNCTION perdure.queue_of_runs_1(_workflow text, _version integer) RETURNS text
LANGUAGE sql IMMUTABLE AS $$
    SELECT '__wf_' || _workflow || coalesce('@' || _version, '')
$$;

-- Appends events from a number on, if that number is free. The first is the gate: who else wants the number waits for it,
-- and the numbers after it are nobody's while it is ours.
CREATE FUNCTION perdure.append_1(_tenant text, _run uuid, _seq bigint, _events jsonb, _now bigint) RETURNS boolean
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    INSERT INTO perdure.event (tenant, run, seq, at, until, event)
    VALUES (_tenant, _run, _seq, _now, perdure.due_1(_events->0->'until', _now), _events->0->>'event')
    ON CONFLICT (run, seq, tenant) DO NOTHING;
    IF NOT FOUND THEN
        RETURN false;
    END IF;
    IF jsonb_array_length(_events) > 1 THEN
        INSERT INTO perdure.event (tenant, run, seq, at, until, event)
        SELECT _tenant, _run, _seq + e.ordinality - 1, _now, perdure.due_1(e.value->'until', _now), e.value->>'event'
        FROM jsonb_array_elements(_events) WITH ORDINALITY e WHERE e.ordinality > 1;
    END IF;
    RETURN true;
END $$;

-- The times that the store fixed for these events, in their order.
CREATE FUNCTION perdure.untils_1(_events jsonb, _now bigint) RETURNS text
LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    RETURN (SELECT string_agg(coalesce(perdure.due_1(e.value->'until', _now)::text, '-'), ',' ORDER BY e.ordinality)
            FROM jsonb_array_elements(_events) WITH ORDINALITY e);
END $$;

-- Puts a signal into the mailbox of a run whose row is locked; its number is the run's wakes. Answers the queue that the run
-- became ready in, if it was suspended on that event.
CREATE FUNCTION perdure.deliver_1(_run perdure.run, _event text, _payload text, _now bigint) RETURNS text
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    _ready text;
BEGIN
    UPDATE perdure.run SET wakes = wakes + 1 WHERE id = _run.id AND tenant = _run.tenant;
    INSERT INTO perdure.signal (tenant, run, number, event, payload, at)
    VALUES (_run.tenant, _run.id, _run.wakes + 1, _event, _payload, _now);
    UPDATE perdure.run_message SET ready_at = _now
    WHERE run = _run.id AND tenant = _run.tenant AND token IS NULL AND ready_at > _now AND _event = ANY (wake_on)
    RETURNING queue INTO _ready;
    RETURN _ready;
END $$;

-- Takes a run, as it is or was before, out of those that do not run.
CREATE FUNCTION perdure.leave_rest_1(_run perdure.run) RETURNS void
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    DELETE FROM perdure.run_at_rest
    WHERE tenant = _run.tenant AND workflow = _run.workflow AND status = _run.status
      AND at = coalesce(_run.completed_at, _run.started_at) AND run = _run.id;
END $$;

-- Notes the tags of a run that starts, for who looks for it by them.
CREATE FUNCTION perdure.tag_1(_tenant text, _run uuid, _tags text, _now bigint) RETURNS void
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    INSERT INTO perdure.run_tag (tenant, name, value, started_at, run)
    SELECT _tenant, t.key, t.value, _now, _run FROM jsonb_each_text(_tags::jsonb) t;
END $$;

-- What follows when events have led a run to another state: its row, its message, its workflow id, its parent. Its row is
-- locked. Answers the queues in which something became ready.
CREATE FUNCTION perdure.project_1(_run perdure.run, _after jsonb, _now bigint, _lane bigint) RETURNS text[]
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    _status text := _after->>'status';
    _over boolean := _status IN ('completed', 'failed', 'cancelled');
    _parent perdure.run;
    _ready text;
BEGIN
    UPDATE perdure.run
    SET status = _status, version = coalesce((_after->>'version')::integer, version), output = _after->>'output',
        error = _after->>'error', completed_at = CASE WHEN _over THEN _now END
    WHERE id = _run.id AND tenant = _run.tenant;
    IF _run.status <> 'running' THEN
        PERFORM perdure.leave_rest_1(_run);
    END IF;
    IF _status <> 'running' THEN
        INSERT INTO perdure.run_at_rest (tenant, workflow, status, at, run, retires_at)
        VALUES (_run.tenant, _run.workflow, _status, CASE WHEN _over THEN _now ELSE _run.started_at END, _run.id,
                CASE WHEN _over THEN _now + _run.retention_days * 86400000000 END);
    END IF;
    IF _status <> _run.status THEN
        PERFORM perdure.count_run_1(_run.tenant, _run.workflow, _run.status, _lane, -1);
        PERFORM perdure.count_run_1(_run.tenant, _run.workflow, _status, _lane, 1);
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

CREATE FUNCTION perdure.start_1(_commit jsonb, _now bigint, _lane bigint) RETURNS jsonb
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    _tenant text := _commit->>'tenant';
    _run uuid := (_commit->>'run')::uuid;
    _workflow text := _commit->>'workflow';
    _key text := _commit->>'idempotencyKey';
    _workflow_id text := _commit->>'workflowId';
    _lease jsonb := _commit->'lease';
    _winner uuid;
    _detail text;
    _deadline bigint := perdure.due_1(_commit->'deadline', _now);
    _ready bigint := least(_deadline, perdure.due_1(_commit->'ready', _now));
    _queue text := perdure.queue_of_runs_1(_workflow, (_commit->>'version')::integer);
BEGIN
    IF _key IS NOT NULL THEN
        SELECT holder, detail INTO _winner, _detail
        FROM perdure.bind_key_1(_tenant, 'idempotency', _workflow, _key, _run, _commit->>'fingerprint', NULL, _now);
        IF FOUND THEN
            IF _detail <> _commit->>'fingerprint' THEN
                RETURN jsonb_build_object('is', 'refused', 'why', 'KEY_REUSED', 'run', _winner);
            END IF;
            RETURN jsonb_build_object(
                'is', 'duplicate', 'run', _winner, 'key', 'IDEMPOTENCY_KEY',
                'status', (SELECT status FROM perdure.run WHERE id = _winner AND tenant = _tenant));
        END IF;
    END IF;
    IF _workflow_id IS NOT NULL THEN
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
    PERFORM perdure.count_run_1(_tenant, _workflow, 'running', _lane, 1);
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
        'ready', CASE WHEN _lease IS NULL OR _lease = 'null' THEN _queue END);
END $$;

-- What the holder of a run's lease commits. The event's number is the gate. The token is read without a lock where the lease
-- outlasts any flush: nobody can take it away meanwhile except by an event, and then the gate is lost.
CREATE FUNCTION perdure.advance_1(_commit jsonb, _now bigint, _lane bigint, _limits bigint[]) RETURNS jsonb
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
        _last := perdure.last_1(_tenant, _id);
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
        EXIT WHEN jsonb_array_length(_events) = 0 OR perdure.append_1(_tenant, _id, _seq, _events, _now);
        -- Somebody else was there first, and has committed: look again at what he left.
    END LOOP;
    DELETE FROM perdure.signal WHERE run = _id AND tenant = _tenant AND number = ANY (_taken);
    IF _after IS NOT NULL THEN
        _hints := perdure.project_1(_run, _after, _now, _lane);
    ELSIF _release IS NOT NULL THEN
        _ready := least(_run.deadline, perdure.due_1(_release->'ready', _now));
        UPDATE perdure.run_message
        SET token = NULL, lapses = 0, ready_at = _ready,
            wake_on = ARRAY(SELECT jsonb_array_elements_text(_release->'wakeOn'))
        WHERE run = _id AND tenant = _tenant;
        IF _ready <= _now THEN
            _hints := ARRAY[_message.queue];
        END IF;
    END IF;
    RETURN jsonb_build_object(
        'is', 'appended', 'seq', _seq, 'at', _now, 'status', coalesce(_after->>'status', 'running'),
        'untils', perdure.untils_1(_events, _now), 'ready', array_to_string(_hints, ','),
        'ended', coalesce(_after->>'status', '') IN ('completed', 'failed', 'cancelled'),
        'sent', perdure.put_all_1(_tenant, _commit->'sends', _now, _lane, _limits[3]));
END $$;

-- Changes a run from outside. Holds the run and takes the lease away first, so that it never loses for long against a busy
-- worker; a step that was already under way may still get its number in, and then it is tried again after that.
CREATE FUNCTION perdure.intervene_1(_commit jsonb, _now bigint, _lane bigint) RETURNS jsonb
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    _tenant text := _commit->>'tenant';
    _id uuid := (_commit->>'run')::uuid;
    _events jsonb := _commit->'events';
    _run perdure.run;
    _after jsonb;
    _last bigint;
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
        _last := perdure.last_1(_tenant, _id);
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
        EXIT WHEN perdure.append_1(_tenant, _id, _last + 1, _events, _now);
    END LOOP;
    IF (_after->>'changed')::boolean THEN
        _hints := perdure.project_1(_run, _after, _now, _lane);
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
        'is', 'appended', 'seq', _last + 1, 'at', _now, 'status', _after->>'status',
        'untils', perdure.untils_1(_events, _now), 'ready', array_to_string(_hints, ','),
        'ended', _after->>'status' IN ('completed', 'failed', 'cancelled'));
END $$;

CREATE FUNCTION perdure.signal_1(_commit jsonb, _now bigint, _limits bigint[]) RETURNS jsonb
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    _tenant text := _commit->>'tenant';
    _id uuid := (_commit->>'run')::uuid;
    _deduplication text := _commit->>'deduplication';
    _run perdure.run;
    _number text;
    _waiting bigint;
    _ready text;
BEGIN
    SELECT * INTO _run FROM perdure.run WHERE id = _id AND tenant = _tenant FOR NO KEY UPDATE;
    IF NOT FOUND THEN
        RETURN jsonb_build_object('is', 'refused', 'why', 'NO_SUCH_RUN');
    END IF;
    SELECT detail INTO _number FROM perdure.claimed_key
    WHERE tenant = _tenant AND scope = 'signal' AND within = _id::text AND value = _deduplication;
    IF FOUND THEN
        RETURN jsonb_build_object('is', 'signalled', 'number', _number::bigint, 'created', false);
    END IF;
    IF _run.status IN ('completed', 'failed', 'cancelled') THEN
        RETURN jsonb_build_object('is', 'refused', 'why', 'RUN_ENDED', 'status', _run.status);
    END IF;
    SELECT count(*) INTO _waiting FROM perdure.signal WHERE run = _id AND tenant = _tenant;
    IF _waiting >= _limits[2] THEN
        RETURN jsonb_build_object('is', 'refused', 'why', 'MAILBOX_FULL', 'waiting', _waiting);
    END IF;
    _ready := perdure.deliver_1(_run, _commit->>'event', _commit->>'payload', _now);
    IF _deduplication IS NOT NULL THEN
        INSERT INTO perdure.claimed_key (tenant, scope, within, value, holder, detail)
        VALUES (_tenant, 'signal', _id::text, _deduplication, _id, (_run.wakes + 1)::text);
    END IF;
    RETURN jsonb_build_object('is', 'signalled', 'number', _run.wakes + 1, 'created', true,
                              'ready', _ready);
END $$;
