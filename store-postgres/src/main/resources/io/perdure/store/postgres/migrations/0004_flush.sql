-- works with releases that know migration 1
--
-- The flush: a batch of a lane, whole, in one call. Most commits of a busy system are alike, plain acknowledgements, plain
-- sends, plain starts and plain steps: those come as arrays and are done many rows to a statement. Every other commit comes as a
-- document and is done by the function of its kind, in the order of the batch, after the plain ones; and so is a step that turned
-- out not to be plain. The caller sees to it that no plain commit touches what a document before it has touched, so that all is
-- as if one commit followed the other.
--
-- Locks are taken in one order: lane, messages that something is said of, doors, groups that plain sends join; then those of the other
-- plain commits and of documents, run, message of a run, event, keys, group, the next message of the group, figures. What decides is read
-- in a later statement than the lock it needs. There is no exception block: a failure fails the call, and the caller finds the commit to blame.
--
-- The plans must not depend on statistics, which a young table does not have and a busy one has wrong: whatever could turn
-- a lookup into a scan is off.

CREATE FUNCTION perdure.apply_1(_commit jsonb, _now bigint, _lane bigint, _limits bigint[]) RETURNS jsonb
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    CASE _commit->>'do'
        WHEN 'advance' THEN RETURN perdure.advance_1(_commit, _now, _lane, _limits);
        WHEN 'start' THEN RETURN perdure.start_1(_commit, _now, _lane);
        WHEN 'signal' THEN RETURN perdure.signal_1(_commit, _now, _limits);
        WHEN 'intervene' THEN RETURN perdure.intervene_1(_commit, _now, _lane);
        WHEN 'send' THEN RETURN perdure.send_1(_commit, _now, _lane, _limits[3]);
        WHEN 'settle' THEN RETURN perdure.settle_1(_commit, _now, _lane, _limits[3]);
        WHEN 'redrive' THEN RETURN perdure.redrive_1(_commit, _now, _lane);
        WHEN 'discard' THEN RETURN perdure.discard_1(_commit, _lane);
        WHEN 'purge' THEN RETURN perdure.purge_1(_commit, _lane);
        WHEN 'create' THEN RETURN perdure.create_queue_1(_commit);
        WHEN 'update' THEN RETURN perdure.update_queue_1(_commit);
        WHEN 'delete' THEN RETURN perdure.delete_queue_1(_commit);
        -- A commit that the database would not take: found by trying, answered here so that the answer is remembered.
        WHEN 'refuse' THEN RETURN jsonb_build_object('is', 'refused', 'why', 'BAD_VALUE', 'detail', _commit->'detail');
    END CASE;
END $$;

-- Plain acknowledgements. Answers the places of those whose lease was lost; the groups that are to be left, and by which of them, for the
-- caller to leave them; and the queues whose groups move on, their tenants first and then their names.
CREATE FUNCTION perdure.acknowledge_1(_lane bigint, _tenants text[], _tenant integer[], _id uuid[], _token uuid[],
                                      OUT lost integer[], OUT left_by integer[], OUT left_queue bigint[], OUT left_group text[],
                                      OUT left_seq bigint[], OUT ready text[])
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    _gone uuid[];
    _queues bigint[];
    _slots bigint[];
    _many bigint[];
    _queue bigint;
    _count bigint;
BEGIN
    WITH gone AS (
        DELETE FROM perdure.message m
        USING unnest(_tenant, _id, _token) WITH ORDINALITY a (tenant, id, token, place)
        WHERE m.id = a.id AND m.tenant = _tenants[a.tenant] AND m.token = a.token
        RETURNING m.id, m.queue, m.ready_at >> 22 AS slot, m.group_key, m.group_seq, a.place
    )
    -- Who is leased is the head of its group.
    SELECT array_agg(id), array_agg(queue), array_agg(slot), array_agg(place) FILTER (WHERE group_seq > 0),
           array_agg(queue) FILTER (WHERE group_seq > 0), array_agg(group_key) FILTER (WHERE group_seq > 0),
           array_agg(group_seq) FILTER (WHERE group_seq > 0)
    INTO _gone, _queues, _slots, left_by, left_queue, left_group, left_seq FROM gone;
    IF left_queue IS NOT NULL THEN
        SELECT array_agg(q.tenant) || array_agg(q.name) INTO ready FROM perdure.queue q WHERE q.id = ANY (left_queue);
    END IF;
    IF _gone IS NOT NULL THEN
        SELECT array_agg(c.queue), array_agg(c.slot), array_agg(c.many) INTO _queues, _slots, _many
        FROM (SELECT g.queue, g.slot, count(*) AS many FROM unnest(_queues, _slots) g (queue, slot) GROUP BY 1, 2) c;
        FOR _queue, _count IN SELECT g.queue, sum(g.many) FROM unnest(_queues, _many) g (queue, many) GROUP BY 1 ORDER BY 1 LOOP
            PERFORM perdure.count_1(_queue, _lane, 0, _count, 0, 0, 0);
        END LOOP;
        PERFORM perdure.calendar_1(_lane, array_agg(g.queue), array_agg(g.slot), array_agg(0::bigint), array_agg(-g.many))
        FROM unnest(_queues, _slots, _many) g (queue, slot, many);
    END IF;
    IF cardinality(_id) > coalesce(cardinality(_gone), 0) THEN
        lost := ARRAY(SELECT a.place FROM unnest(_id) WITH ORDINALITY a (id, place)
                      WHERE _gone IS NULL OR a.id <> ALL (_gone));
    END IF;
END $$;

-- Whether each of the groups that are left was joined by a commit before the one that leaves it. Groups are many on both sides and not to
-- be compared each with each, so this alone of all functions has a hash join.
CREATE FUNCTION perdure.joined_before_1(_left_by integer[], _left_queue bigint[], _left_group text[],
                                        _joined_since integer[], _joined_queue bigint[], _joined_group text[]) RETURNS boolean[]
LANGUAGE plpgsql STABLE SET enable_hashjoin = on SET enable_nestloop = off AS $$
BEGIN
    RETURN ARRAY(SELECT coalesce(j.since < l.at, false)
                 FROM unnest(_left_by, _left_queue, _left_group) WITH ORDINALITY l (at, queue, group_key, place)
                 LEFT JOIN unnest(_joined_since, _joined_queue, _joined_group) j (since, queue, group_key)
                 ON j.queue = l.queue AND j.group_key = l.group_key
                 ORDER BY l.place);
END $$;

-- Locks groups that are left and groups that are joined, in one order for all. An insert finds a group anew that somebody has emptied and
-- filled again meanwhile; a select would pass it by, and meet it out of order later.
CREATE FUNCTION perdure.hold_groups_1(_queue bigint[], _group text[]) RETURNS void
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    INSERT INTO perdure.queue_group AS g (queue, group_key, newest)
    SELECT DISTINCT h.queue, h.group_key, 0 FROM unnest(_queue, _group) h (queue, group_key) ORDER BY 1, 2
    ON CONFLICT (queue, group_key) DO UPDATE SET newest = g.newest WHERE false;
END $$;

-- Leaves those of the groups that are left late, or those that are not.
CREATE FUNCTION perdure.leave_some_groups_1(_queue bigint[], _group text[], _seq bigint[], _late boolean[], _which boolean)
RETURNS void
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    _these record;
BEGIN
    SELECT array_agg(h.queue) AS queue, array_agg(h.group_key) AS group_key, array_agg(h.seq) AS seq INTO _these
    FROM unnest(_queue, _group, _seq, _late) h (queue, group_key, seq, late) WHERE h.late = _which;
    IF _these.queue IS NOT NULL THEN
        PERFORM perdure.leave_groups_1(_these.queue, _these.group_key, _these.seq);
    END IF;
END $$;

-- Plain sends: no deduplication ids. Groups come by themselves, each once; a message says by its place which one it joins, or 0. Answers
-- outcomes for those commits that are not simply done.
--
-- Groups that acknowledgements of the same batch leave are left here: before the sends, or after them where one that joined stands
-- before the acknowledgement. Then the group is not empty when it is left, and to those that join after that it makes no difference
-- when it is.
CREATE FUNCTION perdure.send_all_1(_now bigint, _lane bigint, _queue_tenant text[], _queue_name text[],
                                   _group_queue integer[], _group_key text[], _commit integer[], _queue integer[], _id uuid[],
                                   _delay bigint[], _group integer[], _headers text[], _body text[],
                                   _left_by integer[], _left_queue bigint[], _left_group text[], _left_seq bigint[],
                                   OUT place integer, OUT outcome jsonb) RETURNS SETOF record
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    _queues bigint[];
    _most bigint[];
    _retention bigint[];
    _bad integer[] := '{}';
    _joined record;
    _late boolean[];
    _newest bigint[];
    _numbers bigint[];
    _one bigint;
    _count bigint;
BEGIN
    PERFORM pg_advisory_xact_lock_shared(d.door)
    FROM (SELECT DISTINCT perdure.door_1(w.tenant, w.name) AS door
          FROM unnest(_queue_tenant, _queue_name) w (tenant, name) ORDER BY 1) d;
    SELECT array_agg(q.id ORDER BY w.place), array_agg(q.max_delay_millis * 1000 ORDER BY w.place),
           array_agg(q.retention_millis * 1000 ORDER BY w.place)
    INTO _queues, _most, _retention
    FROM unnest(_queue_tenant, _queue_name) WITH ORDINALITY w (tenant, name, place)
    LEFT JOIN perdure.queue q ON q.tenant = w.tenant AND q.name = w.name;

    IF array_position(_queues, NULL) IS NOT NULL
       OR (SELECT max(d) FROM unnest(_delay) d) > (SELECT min(m) FROM unnest(_most) m) THEN
        FOR place, outcome IN
            SELECT DISTINCT ON (s.commit) s.commit, jsonb_build_object(
                'is', 'refused', 'why', CASE WHEN _queues[s.queue] IS NULL THEN 'NO_SUCH_QUEUE' ELSE 'DELAY_TOO_LONG' END,
                'place', s.within, 'most', _most[s.queue] / 1000)
            FROM (SELECT c.*, row_number() OVER (PARTITION BY c.commit ORDER BY c.place) - 1 AS within
                  FROM unnest(_commit, _queue, _delay) WITH ORDINALITY c (commit, queue, delay, place)) s
            WHERE _queues[s.queue] IS NULL OR s.delay > _most[s.queue]
            ORDER BY s.commit, s.within
        LOOP
            _bad := _bad || place;
            RETURN NEXT;
        END LOOP;
    END IF;

    IF _group_key IS NOT NULL THEN
        SELECT array_agg(g.queue) AS queue, array_agg(g.group_key) AS group_key, array_agg(g.many) AS many, array_agg(g.since) AS since
        INTO _joined
        FROM (SELECT _queues[_group_queue[s.grp]] AS queue, _group_key[s.grp] AS group_key, count(*) AS many, min(s.commit) AS since
              FROM unnest(_commit, _group) s (commit, grp) WHERE s.grp > 0 AND s.commit <> ALL (_bad) GROUP BY s.grp) g;
        IF _left_queue IS NOT NULL AND _joined.queue IS NOT NULL THEN
            _late := perdure.joined_before_1(
                _left_by, _left_queue, _left_group, _joined.since, _joined.queue, _joined.group_key);
            PERFORM perdure.hold_groups_1(_left_queue || _joined.queue, _left_group || _joined.group_key);
        END IF;
    END IF;
    IF _left_queue IS NOT NULL THEN
        _late := coalesce(_late, array_fill(false, ARRAY[cardinality(_left_queue)]));
        PERFORM perdure.leave_some_groups_1(_left_queue, _left_group, _left_seq, _late, false);
    END IF;
    IF _group_key IS NOT NULL THEN
        -- Joined in the order of their keys, numbered in the order of the batch, up to the newest of each group.
        INSERT INTO perdure.queue_group AS g (queue, group_key, newest)
        SELECT j.queue, j.group_key, j.many FROM unnest(_joined.queue, _joined.group_key, _joined.many) j (queue, group_key, many)
        ORDER BY 1, 2
        ON CONFLICT (queue, group_key) DO UPDATE SET newest = g.newest + excluded.newest;
        _newest := ARRAY(
            SELECT (SELECT g.newest FROM perdure.queue_group g WHERE g.queue = _queues[j.queue] AND g.group_key = j.group_key)
            FROM unnest(_group_queue, _group_key) WITH ORDINALITY j (queue, group_key, place) ORDER BY j.place);
        _numbers := ARRAY(
            SELECT CASE WHEN s.grp > 0 AND s.commit <> ALL (_bad)
                        THEN _newest[s.grp] + 1 - row_number() OVER (PARTITION BY s.grp, s.commit = ANY (_bad) ORDER BY s.place DESC)
                        ELSE 0 END
            FROM unnest(_commit, _group) WITH ORDINALITY s (commit, grp, place) ORDER BY s.place);
    END IF;

    -- Ids are made by the caller and all but never met before. Where one is, the call fails and the caller goes one by one:
    -- that is cheaper than to ask about each.
    INSERT INTO perdure.message (tenant, id, queue, ready_at, expires_at, sent_at, group_key, group_seq, blocked, headers, body)
    SELECT _queue_tenant[s.queue], s.id, _queues[s.queue], least(253402300799999999, _now + s.delay),
           least(253402300799999999, _now + s.delay) + _retention[s.queue], _now, _group_key[s.grp],
           coalesce(s.number, 0), coalesce(s.number > 1, false), s.headers, s.body
    FROM unnest(_commit, _queue, _id, _delay, _group, _numbers, _headers, _body)
         s (commit, queue, id, delay, grp, number, headers, body)
    WHERE s.commit <> ALL (_bad);
    FOR _one, _count IN
        SELECT _queues[s.queue], count(*) FROM unnest(_commit, _queue) s (commit, queue) WHERE s.commit <> ALL (_bad)
        GROUP BY 1 ORDER BY 1
    LOOP
        PERFORM perdure.count_1(_one, _lane, _count, 0, 0, 0, 0);
    END LOOP;
    IF (SELECT max(d) FROM unnest(_delay) d) > 0 THEN
        PERFORM perdure.calendar_1(_lane, array_agg(_queues[s.queue]), array_agg(least(253402300799999999, _now + s.delay) >> 22),
                                   array_agg(1::bigint), array_agg(0::bigint))
        FROM unnest(_commit, _queue, _delay) s (commit, queue, delay) WHERE s.delay > 0 AND s.commit <> ALL (_bad);
    END IF;
    IF true = ANY (_late) THEN
        PERFORM perdure.leave_some_groups_1(_left_queue, _left_group, _left_seq, _late, true);
    END IF;
END $$;

-- Moves a lane on to its next batch, and answers its id; null where this batch is not the next one.
CREATE FUNCTION perdure.next_in_lane_1(_process uuid, _lane integer, _number bigint) RETURNS bigint
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    _id bigint;
BEGIN
    UPDATE perdure.lane l SET newest = _number, last_used = perdure.clock_1()
    WHERE l.process = _process AND l.number = _lane AND l.newest = _number - 1
    RETURNING l.id INTO _id;
    RETURN _id;
END $$;

-- The answer to a batch that is not the next of its lane. A call that came before and was still at work held us up until its
-- answer was there.
CREATE FUNCTION perdure.answered_1(_process uuid, _lane integer, _number bigint, OUT known text, OUT newest bigint,
                                   OUT at bigint, OUT commits integer, OUT digest integer, OUT outcomes text[])
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    SELECT 'answered', b.number, b.at, b.commits, b.digest, b.outcomes
    INTO known, newest, at, commits, digest, outcomes
    FROM perdure.lane_batch b WHERE b.process = _process AND b.lane = _lane AND b.number = _number;
    IF NOT FOUND THEN
        known := 'rewound';
        SELECT l.newest INTO newest FROM perdure.lane l WHERE l.process = _process AND l.number = _lane;
    END IF;
END $$;

-- Locks runs and their parents, in one order for all: who ends tells its parent, and a parent never changes. Answers the parents.
CREATE FUNCTION perdure.lock_runs_1(_runs uuid[]) RETURNS uuid[]
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    _parents uuid[] := ARRAY(SELECT p.parent FROM perdure.run p WHERE p.id = ANY (_runs) AND p.parent IS NOT NULL);
BEGIN
    PERFORM 1 FROM perdure.run r WHERE r.id = ANY (_runs || _parents) ORDER BY r.id FOR NO KEY UPDATE;
    RETURN _parents;
END $$;

-- Answers one row. "known" is how the lane stands: next (this call applied the batch), answered (an earlier call did, and
-- these are its outcomes), or rewound (the batch is neither). An outcome that is null, or an empty array of them, says that
-- the commit was done as asked.
CREATE FUNCTION perdure.flush_1(
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
    _runs uuid[], _run_messages uuid[], _messages uuid[], _doc_commit integer[], _doc text[],
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
    _parents uuid[] := '{}';
    _more_ready text[];
    _ended_tenant text[];
    _ended_workflow text[];
    _ended_status text[];
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
        _parents := perdure.lock_runs_1(_runs);
    END IF;
    -- The same for the messages of runs, together with those that plain steps let go of: an extension takes them in this order too.
    IF _run_messages IS NOT NULL THEN
        PERFORM 1 FROM perdure.run_message m
        WHERE m.run = ANY (_run_messages || _parents
                           || ARRAY(SELECT s.run FROM unnest(_step_run, _step_kind) s (run, kind) WHERE s.kind > 0))
        ORDER BY m.run FOR NO KEY UPDATE;
    END IF;
    IF _step_run IS NOT NULL THEN
        SELECT a.lost, a.ready, a.count_tenant, a.count_workflow, a.count_status
        INTO _lost, _more_ready, _ended_tenant, _ended_workflow, _ended_status
        FROM perdure.advance_all_1(at, at + _limits[4], _careful, _tenants, _parents, _step_tenant, _step_run, _step_token,
                                   _step_seq, _step_until, _step_event, _step_kind,
                                   _more_step, _more_seq, _more_until, _more_event,
                                   _held_step, _held_status, _held_output, _held_error, _held_ready) a;
        ready := perdure.both_ready_1(ready, _more_ready);
    END IF;
    IF _start_id IS NOT NULL OR _ended_tenant IS NOT NULL THEN
        PERFORM perdure.count_runs_1(_lane_id, _line_tenant, _line_workflow, _start_line, _ended_tenant, _ended_workflow,
                                     _ended_status);
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
        outcomes[_doc_commit[_one]] := perdure.apply_1(_doc[_one]::jsonb, at, _lane_id, _limits)::text;
    END LOOP;

    -- Filled up to the last place, so that the first is the first.
    IF outcomes IS NULL THEN
        outcomes := '{}';
    ELSE
        outcomes := ARRAY(SELECT outcomes[i] FROM generate_series(1, _commits) i);
    END IF;
    INSERT INTO perdure.lane_batch (process, lane, number, at, commits, digest, outcomes)
    VALUES (_process, _lane, _number, at, _commits, _digest, outcomes);
END $$;

-- Opens lanes; those that are open count as used.
CREATE FUNCTION perdure.open_lanes_1(_process uuid, _count integer) RETURNS void
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    INSERT INTO perdure.lane (process, number, last_used)
    SELECT _process, n, perdure.clock_1() FROM generate_series(0, _count - 1) n
    ON CONFLICT (process, number) DO UPDATE SET last_used = excluded.last_used;
END $$;
