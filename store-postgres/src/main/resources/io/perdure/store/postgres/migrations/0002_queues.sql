-- works with releases that know migration 1
--
-- What commits do to users' queues. Functions carry the number of the release line that calls them and are never changed
-- after a release: an older process goes on calling the ones it knows while newer processes call newer ones.

-- The one clock. Everything that decides by time asks it, once for each call.
CREATE FUNCTION perdure.clock_1() RETURNS bigint
LANGUAGE sql VOLATILE AS $$
    SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint
$$;

-- Whoever takes leases says so here, and learns the latest time that anybody did: only where the clock reads less did it go back,
-- and only then a lease can end further ahead than it may. One of length L, taken at T, counts as run out once the clock reads
-- less than T - L. So T is noted only where nothing later than T - L is: once in the length of a lease, by whichever process.
CREATE FUNCTION perdure.latest_lease_1(_now bigint, _lease bigint) RETURNS bigint
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    _latest bigint := (SELECT last_value FROM perdure.latest_lease);
BEGIN
    IF _latest < _now - _lease THEN
        PERFORM setval('perdure.latest_lease', _now);
    END IF;
    RETURN _latest;
END $$;

-- When something becomes due: {"in": micros} or {"at": micros}, at most the end of the year 9999; null for no time at all.
CREATE FUNCTION perdure.due_1(_due jsonb, _now bigint) RETURNS bigint
LANGUAGE sql IMMUTABLE AS $$
    SELECT CASE jsonb_typeof(_due) WHEN 'object' THEN
        least(253402300799999999, coalesce((_due->>'at')::bigint, _now + (_due->>'in')::bigint)) END
$$;

-- Who sends to a queue holds its door open until the end of the transaction; who deletes it must find it closed. There are 256
-- doors, whatever the number of queues: the server has room for so many locks and no more.
CREATE FUNCTION perdure.door_1(_tenant text, _queue text) RETURNS bigint
LANGUAGE sql IMMUTABLE AS $$
    SELECT (hashtextextended('perdure.queue', 0) & -256) | (hashtextextended(_tenant || ' ' || _queue, 0) & 255)
$$;

CREATE FUNCTION perdure.is_dead_letters_1(_queue text) RETURNS boolean
LANGUAGE sql IMMUTABLE AS $$
    SELECT _queue LIKE '%.dlq'
$$;

CREATE FUNCTION perdure.count_1(_queue bigint, _lane bigint, _came_in bigint, _went_out bigint, _retried bigint,
                                _dead_lettered bigint, _expired bigint) RETURNS void
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    INSERT INTO perdure.queue_count AS c (queue, lane, came_in, went_out, retried, dead_lettered, expired)
    VALUES (_queue, _lane, _came_in, _went_out, _retried, _dead_lettered, _expired)
    ON CONFLICT (queue, lane) DO UPDATE
    SET came_in = c.came_in + excluded.came_in, went_out = c.went_out + excluded.went_out,
        retried = c.retried + excluded.retried, dead_lettered = c.dead_lettered + excluded.dead_lettered,
        expired = c.expired + excluded.expired;
END $$;

-- The lane of whoever has none. No two backends share one, so their figures never make one wait for the other. Sweeps see to it that they
-- stay few.
CREATE FUNCTION perdure.spare_lane_1() RETURNS bigint
LANGUAGE sql STABLE AS $$
    SELECT -1 - pg_backend_pid()
$$;

-- Enters messages into the calendar, or takes them out: as many as it says, of one queue and one slot of 22 bits each.
CREATE FUNCTION perdure.calendar_1(_lane bigint, _queue bigint[], _slot bigint[], _delayed bigint[], _leased bigint[]) RETURNS void
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    -- Sums of integers are bigint, those of bigint numeric, which costs several times as much.
    WITH small AS MATERIALIZED (
        SELECT c.queue, c.slot, sum(c.delayed::integer) AS delayed, sum(c.leased::integer) AS leased
        FROM unnest(_queue, _slot, _delayed, _leased) c (queue, slot, delayed, leased) GROUP BY 1, 2
    ), large AS MATERIALIZED (
        SELECT s.queue, s.slot >> 6 AS slot, sum(s.delayed::integer) AS delayed, sum(s.leased::integer) AS leased
        FROM small s GROUP BY 1, 2
    )
    INSERT INTO perdure.queue_due AS d (queue, bits, slot, lane, delayed, leased)
    SELECT e.queue, e.bits, e.slot, _lane, e.delayed, e.leased
    FROM (SELECT s.*, 22 AS bits FROM small s UNION ALL SELECT l.*, 28 FROM large l) e
    WHERE e.delayed <> 0 OR e.leased <> 0
    ORDER BY 1, 2, 3
    ON CONFLICT (queue, bits, slot, lane) DO UPDATE
    SET delayed = d.delayed + excluded.delayed, leased = d.leased + excluded.leased;
END $$;

-- Enters one message as it stands, or takes it out as it stood: by is 1 or -1.
CREATE FUNCTION perdure.calendar_1(_message perdure.message, _lane bigint, _by bigint) RETURNS void
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    IF _message.token IS NOT NULL OR _message.ready_at <> _message.sent_at THEN
        PERFORM perdure.calendar_1(
            _lane, ARRAY[_message.queue], ARRAY[_message.ready_at >> 22],
            ARRAY[CASE WHEN _message.token IS NULL THEN _by ELSE 0 END],
            ARRAY[CASE WHEN _message.token IS NULL THEN 0 ELSE _by END]);
    END IF;
END $$;

-- The number of a message that joins a group; the first is its head, the others are blocked. The group's row stays locked until
-- the transaction ends, so numbers follow the order of commits.
CREATE FUNCTION perdure.join_group_1(_queue bigint, _group text) RETURNS bigint
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    _newest bigint;
BEGIN
    INSERT INTO perdure.queue_group AS g (queue, group_key, newest) VALUES (_queue, _group, 1)
    ON CONFLICT (queue, group_key) DO UPDATE SET newest = g.newest + 1
    RETURNING newest INTO _newest;
    RETURN _newest;
END $$;

-- Lets the next one of each group go whose head has left, and forgets the groups that are empty. Locks first and looks in the next
-- statement, which sees what whoever held the lock before has committed. A discard of a message that is blocked does not hold that
-- lock: where it takes the next one away under our hands, the update finds nothing, and the one behind that is looked for.
CREATE FUNCTION perdure.leave_groups_1(_queue bigint[], _group text[], _seq bigint[]) RETURNS void
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    _found bigint;
    _moved bigint[];
BEGIN
    PERFORM perdure.lock_groups_1(_queue, _group);
    LOOP
        WITH next AS MATERIALIZED (
            SELECT h.queue, h.group_key, h.at,
                   (SELECT m.ctid FROM perdure.message m
                    WHERE m.queue = h.queue AND m.group_key = h.group_key AND m.group_seq > 0 AND m.group_seq > h.seq
                    ORDER BY m.group_seq LIMIT 1) AS place
            FROM unnest(_queue, _group, _seq) WITH ORDINALITY h (queue, group_key, seq, at)
        ), moved_up AS (
            UPDATE perdure.message m SET blocked = false FROM next n WHERE m.ctid = n.place RETURNING n.at
        ), emptied AS (
            DELETE FROM perdure.queue_group g USING next n
            WHERE n.place IS NULL AND g.queue = n.queue AND g.group_key = n.group_key
        )
        SELECT (SELECT count(n.place) FROM next n), (SELECT array_agg(u.at) FROM moved_up u) INTO _found, _moved;
        EXIT WHEN _found = coalesce(cardinality(_moved), 0);
        SELECT array_agg(h.queue), array_agg(h.group_key), array_agg(h.seq) INTO _queue, _group, _seq
        FROM unnest(_queue, _group, _seq) WITH ORDINALITY h (queue, group_key, seq, at)
        WHERE h.at <> ALL (coalesce(_moved, '{}'));
    END LOOP;
END $$;

-- In one order for all.
CREATE FUNCTION perdure.lock_groups_1(_queue bigint[], _group text[]) RETURNS void
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    PERFORM 1 FROM (SELECT DISTINCT h.queue, h.group_key FROM unnest(_queue, _group) h (queue, group_key) ORDER BY 1, 2) h,
         LATERAL (SELECT 1 FROM perdure.queue_group g WHERE g.queue = h.queue AND g.group_key = h.group_key FOR UPDATE) g;
END $$;

-- The same for one message that has left. One that was blocked was not the head.
CREATE FUNCTION perdure.leave_group_1(_message perdure.message) RETURNS void
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    IF _message.group_seq > 0 AND NOT _message.blocked THEN
        PERFORM perdure.leave_groups_1(ARRAY[_message.queue], ARRAY[_message.group_key], ARRAY[_message.group_seq]);
    END IF;
END $$;

-- Binds a key, or answers who holds it: one row if somebody else does, none if the key is now the caller's.
CREATE FUNCTION perdure.bind_key_1(_tenant text, _scope text, _within text, _value text, _holder uuid, _detail text,
                                   _expires_at bigint, _now bigint, OUT holder uuid, OUT detail text) RETURNS SETOF record
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    LOOP
        INSERT INTO perdure.claimed_key AS k (tenant, scope, within, value, holder, detail, expires_at)
        VALUES (_tenant, _scope, _within, _value, _holder, _detail, _expires_at)
        ON CONFLICT (tenant, scope, within, value) DO UPDATE
        SET holder = excluded.holder, detail = excluded.detail, expires_at = excluded.expires_at
        WHERE k.expires_at <= _now;
        IF FOUND THEN
            RETURN;
        END IF;
        RETURN QUERY SELECT k.holder, k.detail FROM perdure.claimed_key k
                     WHERE k.tenant = _tenant AND k.scope = _scope AND k.within = _within AND k.value = _value;
        IF FOUND THEN
            RETURN;
        END IF;
        -- It was freed between the two statements.
    END LOOP;
END $$;

CREATE FUNCTION perdure.free_key_1(_tenant text, _scope text, _within text, _value text) RETURNS void
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    DELETE FROM perdure.claimed_key
    WHERE tenant = _tenant AND scope = _scope AND within = _within AND value = _value;
END $$;

-- What stands in the way of sending messages: a queue that is not there, or that does not allow the delay.
CREATE FUNCTION perdure.obstacle_1(_tenant text, _sends jsonb) RETURNS jsonb
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    _place bigint;
    _send jsonb;
    _most bigint;
BEGIN
    FOR _send, _place IN SELECT s.value, s.ordinality - 1 FROM jsonb_array_elements(_sends) WITH ORDINALITY s LOOP
        PERFORM pg_advisory_xact_lock_shared(perdure.door_1(_tenant, _send->>'queue'));
        SELECT max_delay_millis INTO _most FROM perdure.queue WHERE tenant = _tenant AND name = _send->>'queue';
        IF NOT FOUND THEN
            RETURN jsonb_build_object('is', 'refused', 'why', 'NO_SUCH_QUEUE', 'place', _place);
        END IF;
        IF (_send->>'delay')::bigint > _most * 1000 THEN
            RETURN jsonb_build_object('is', 'refused', 'why', 'DELAY_TOO_LONG', 'place', _place, 'most', _most);
        END IF;
    END LOOP;
    RETURN NULL;
END $$;

-- Puts one message into its queue, which is there. Answers a plus, or the id of the message that stands for it.
CREATE FUNCTION perdure.put_1(_tenant text, _send jsonb, _now bigint, _lane bigint, _window bigint) RETURNS text
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    _id uuid := (_send->>'id')::uuid;
    _queue perdure.queue;
    _ready bigint := perdure.due_1(jsonb_build_object('in', _send->'delay'), _now);
    _deduplication text := _send->>'deduplication';
    _group text := _send->>'group';
    _number bigint := 0;
    _earlier uuid;
    _message perdure.message;
BEGIN
    SELECT * INTO _queue FROM perdure.queue WHERE tenant = _tenant AND name = _send->>'queue';
    SELECT holder INTO _earlier FROM perdure.claimed_key
    WHERE tenant = _tenant AND scope = 'message' AND within = _queue.name AND value = _deduplication AND expires_at > _now;
    IF FOUND THEN
        RETURN _earlier::text;
    END IF;
    IF EXISTS (SELECT 1 FROM perdure.message WHERE id = _id AND tenant = _tenant) THEN
        RETURN _id::text;
    END IF;
    IF _deduplication IS NOT NULL THEN
        SELECT holder INTO _earlier
        FROM perdure.bind_key_1(_tenant, 'message', _queue.name, _deduplication, _id, '', _now + _window, _now);
        IF FOUND THEN
            RETURN _earlier::text;
        END IF;
    END IF;
    IF _group IS NOT NULL THEN
        _number := perdure.join_group_1(_queue.id, _group);
    END IF;
    INSERT INTO perdure.message (tenant, id, queue, ready_at, expires_at, sent_at, group_key, group_seq, blocked, headers, body)
    VALUES (_tenant, _id, _queue.id, _ready, _ready + _queue.retention_millis * 1000, _now, _group, _number, _number > 1,
            _send->>'headers', _send->>'body')
    ON CONFLICT (id, tenant) DO NOTHING RETURNING * INTO _message;
    IF NOT FOUND THEN
        -- Somebody else sent it since we looked.
        PERFORM perdure.free_key_1(_tenant, 'message', _queue.name, _deduplication);
        IF _number = 1 THEN
            PERFORM perdure.leave_groups_1(ARRAY[_queue.id], ARRAY[_group], ARRAY[_number]);
        END IF;
        RETURN _id::text;
    END IF;
    PERFORM perdure.count_1(_queue.id, _lane, 1, 0, 0, 0, 0);
    PERFORM perdure.calendar_1(_message, _lane, 1);
    RETURN '+';
END $$;

-- Lists travel as text with commas: none of what is listed holds one.
CREATE FUNCTION perdure.put_all_1(_tenant text, _sends jsonb, _now bigint, _lane bigint, _window bigint) RETURNS text
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    RETURN (SELECT string_agg(perdure.put_1(_tenant, s.value, _now, _lane, _window), ',' ORDER BY s.ordinality)
            FROM jsonb_array_elements(_sends) WITH ORDINALITY s);
END $$;

CREATE FUNCTION perdure.send_1(_commit jsonb, _now bigint, _lane bigint, _window bigint) RETURNS jsonb
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    _refused jsonb := perdure.obstacle_1(_commit->>'tenant', _commit->'sends');
BEGIN
    RETURN coalesce(_refused, jsonb_build_object(
        'is', 'sent', 'sent', perdure.put_all_1(_commit->>'tenant', _commit->'sends', _now, _lane, _window)));
END $$;

-- Dead-letters a message whose row is locked, or drops it where its queue keeps no dead letters. A dead letter stays where
-- it is.
CREATE FUNCTION perdure.give_up_1(_message perdure.message, _queue perdure.queue, _reason text, _error text, _now bigint,
                                  _lane bigint) RETURNS text
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    _dead_letters bigint;
    _letter perdure.message;
BEGIN
    PERFORM perdure.calendar_1(_message, _lane, -1);
    IF perdure.is_dead_letters_1(_queue.name) THEN
        UPDATE perdure.message SET token = NULL, ready_at = _now, last_error = _error
        WHERE id = _message.id AND tenant = _message.tenant RETURNING * INTO _message;
        PERFORM perdure.calendar_1(_message, _lane, 1);
        RETURN 'DEAD_LETTERED';
    END IF;
    PERFORM perdure.count_1(_queue.id, _lane, 0, 0, 0, 1, 0);
    IF NOT _queue.dead_letters THEN
        DELETE FROM perdure.message WHERE id = _message.id AND tenant = _message.tenant;
    ELSE
        SELECT id INTO STRICT _dead_letters FROM perdure.queue
        WHERE tenant = _queue.tenant AND name = _queue.name || '.dlq';
        UPDATE perdure.message
        SET queue = _dead_letters, group_seq = 0, token = NULL, ready_at = _now,
            expires_at = _now + _queue.dead_letter_retention_millis * 1000, last_error = _error,
            dead_origin = _queue.name, dead_reason = _reason, dead_at = _now, dead_deliveries = deliveries, deliveries = 0
        WHERE id = _message.id AND tenant = _message.tenant RETURNING * INTO _letter;
        PERFORM perdure.count_1(_dead_letters, _lane, 1, 0, 0, 0, 0);
        PERFORM perdure.calendar_1(_letter, _lane, 1);
    END IF;
    PERFORM perdure.leave_group_1(_message);
    RETURN CASE WHEN _queue.dead_letters THEN 'DEAD_LETTERED' ELSE 'DROPPED' END;
END $$;

-- Removes a message that has outlived its retention, and that somebody met before the sweep did. Its row is locked.
CREATE FUNCTION perdure.expire_1(_message perdure.message) RETURNS void
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    DELETE FROM perdure.message WHERE id = _message.id AND tenant = _message.tenant;
    PERFORM perdure.calendar_1(_message, perdure.spare_lane_1(), -1);
    PERFORM perdure.leave_group_1(_message);
    PERFORM perdure.count_1(_message.queue, perdure.spare_lane_1(), 0, 0, 0, 0, 1);
END $$;

CREATE FUNCTION perdure.settle_1(_commit jsonb, _now bigint, _lane bigint, _window bigint) RETURNS jsonb
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    _tenant text := _commit->>'tenant';
    _verdict text := _commit->>'verdict';
    _error text := _commit->>'error';
    _message perdure.message;
    _queue perdure.queue;
    _refused jsonb;
    _ready bigint;
    _fate text;
    _hints text[] := '{}';
BEGIN
    SELECT * INTO _message FROM perdure.message
    WHERE id = (_commit->>'message')::uuid AND tenant = _tenant AND token = (_commit->>'token')::uuid FOR UPDATE;
    IF NOT FOUND THEN
        RETURN jsonb_build_object('is', 'lost');
    END IF;
    SELECT * INTO STRICT _queue FROM perdure.queue WHERE id = _message.queue;
    _refused := perdure.obstacle_1(_tenant, _commit->'sends');
    IF _refused IS NULL AND _verdict = 'retry' AND (_commit->>'delay')::bigint > _queue.max_delay_millis * 1000 THEN
        _refused := jsonb_build_object('is', 'refused', 'why', 'DELAY_TOO_LONG', 'queue', _queue.name,
                                       'most', _queue.max_delay_millis);
    END IF;
    IF _refused IS NOT NULL THEN
        RETURN _refused;
    END IF;
    IF _verdict = 'done' THEN
        DELETE FROM perdure.message WHERE id = _message.id AND tenant = _tenant;
        PERFORM perdure.calendar_1(_message, _lane, -1);
        PERFORM perdure.leave_group_1(_message);
        PERFORM perdure.count_1(_queue.id, _lane, 0, 1, 0, 0, 0);
        _fate := 'DONE';
    ELSIF _verdict = 'release' THEN
        PERFORM perdure.calendar_1(_message, _lane, -1);
        UPDATE perdure.message SET token = NULL, ready_at = _now, deliveries = deliveries - 1
        WHERE id = _message.id AND tenant = _tenant RETURNING * INTO _message;
        PERFORM perdure.calendar_1(_message, _lane, 1);
        _fate := 'RELEASED';
        _hints := ARRAY[_queue.name];
    ELSIF _verdict = 'retry' AND (perdure.is_dead_letters_1(_queue.name) OR _message.deliveries <= _queue.retries) THEN
        _ready := perdure.due_1(jsonb_build_object('in', _commit->'delay'), _now);
        PERFORM perdure.calendar_1(_message, _lane, -1);
        UPDATE perdure.message
        SET token = NULL, ready_at = _ready, last_error = _error,
            expires_at = _ready + 1000 * CASE WHEN perdure.is_dead_letters_1(_queue.name)
                                              THEN _queue.dead_letter_retention_millis ELSE _queue.retention_millis END
        WHERE id = _message.id AND tenant = _tenant RETURNING * INTO _message;
        PERFORM perdure.calendar_1(_message, _lane, 1);
        PERFORM perdure.count_1(_queue.id, _lane, 0, 0, 1, 0, 0);
        _fate := 'RETRIED';
        IF _ready <= _now THEN
            _hints := ARRAY[_queue.name];
        END IF;
    ELSE
        _fate := perdure.give_up_1(_message, _queue, CASE _verdict WHEN 'retry' THEN 'DELIVERIES_USED_UP' ELSE 'REJECTED' END,
                                   _error, _now, _lane);
        IF _fate = 'DEAD_LETTERED' THEN
            _hints := ARRAY[CASE WHEN perdure.is_dead_letters_1(_queue.name) THEN _queue.name ELSE _queue.name || '.dlq' END];
        END IF;
    END IF;
    IF _message.group_key IS NOT NULL THEN
        _hints := _hints || _queue.name;
    END IF;
    RETURN jsonb_build_object(
        'is', 'settled', 'fate', _fate, 'ready', array_to_string(_hints, ','),
        'sent', perdure.put_all_1(_tenant, _commit->'sends', _now, _lane, _window));
END $$;

CREATE FUNCTION perdure.redrive_1(_commit jsonb, _now bigint, _lane bigint) RETURNS jsonb
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    _tenant text := _commit->>'tenant';
    _message perdure.message;
    _origin perdure.queue;
    _number bigint := 0;
BEGIN
    SELECT m.* INTO _message FROM perdure.message m
    WHERE m.id = (_commit->>'message')::uuid AND m.tenant = _tenant AND m.dead_at IS NOT NULL
      AND m.queue = (SELECT q.id FROM perdure.queue q WHERE q.tenant = _tenant AND q.name = _commit->>'queue')
    FOR UPDATE;
    IF NOT FOUND THEN
        RETURN jsonb_build_object('is', 'refused', 'why', 'NO_SUCH_MESSAGE');
    END IF;
    SELECT * INTO STRICT _origin FROM perdure.queue WHERE tenant = _tenant AND name = _message.dead_origin;
    IF _message.group_key IS NOT NULL THEN
        _number := perdure.join_group_1(_origin.id, _message.group_key);
    END IF;
    PERFORM perdure.count_1(_message.queue, _lane, 0, 1, 0, 0, 0);
    PERFORM perdure.calendar_1(_message, _lane, -1);
    UPDATE perdure.message
    SET queue = _origin.id, token = NULL, ready_at = _now, expires_at = _now + _origin.retention_millis * 1000,
        group_seq = _number, blocked = _number > 1,
        earlier_deliveries = earlier_deliveries + dead_deliveries, deliveries = 0,
        dead_origin = NULL, dead_reason = NULL, dead_at = NULL, dead_deliveries = NULL
    WHERE id = _message.id AND tenant = _tenant RETURNING * INTO _message;
    PERFORM perdure.calendar_1(_message, _lane, 1);
    PERFORM perdure.count_1(_origin.id, _lane, 1, 0, 0, 0, 0);
    RETURN jsonb_build_object('is', 'changed', 'count', 1, 'ready', _origin.name);
END $$;

CREATE FUNCTION perdure.discard_1(_commit jsonb, _lane bigint) RETURNS jsonb
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    _tenant text := _commit->>'tenant';
    _gone perdure.message;
BEGIN
    DELETE FROM perdure.message m
    WHERE m.id = (_commit->>'message')::uuid AND m.tenant = _tenant
      AND m.queue = (SELECT q.id FROM perdure.queue q WHERE q.tenant = _tenant AND q.name = _commit->>'queue')
    RETURNING m.* INTO _gone;
    IF NOT FOUND THEN
        RETURN jsonb_build_object('is', 'refused', 'why', 'NO_SUCH_MESSAGE');
    END IF;
    PERFORM perdure.leave_group_1(_gone);
    PERFORM perdure.count_1(_gone.queue, _lane, 0, 1, 0, 0, 0);
    PERFORM perdure.calendar_1(_gone, _lane, -1);
    RETURN jsonb_build_object('is', 'changed', 'count', 1, 'ready', _commit->'queue');
END $$;

-- Removes messages, past those that somebody holds, and lets their groups move on. The groups come first in the order of locks,
-- since a blocked message may go before its head. Answers from which queues, how many from each, and which of them had groups.
CREATE FUNCTION perdure.remove_1(_places tid[], _lane bigint, OUT queues bigint[], OUT counts bigint[], OUT grouped bigint[])
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    _queue bigint[];
    _group text[];
    _seq bigint[];
    _ready bigint[];
    _delayed bigint[];
    _leased bigint[];
BEGIN
    SELECT array_agg(m.queue), array_agg(m.group_key) INTO _queue, _group
    FROM unnest(_places) p (place) JOIN perdure.message m ON m.ctid = p.place WHERE m.group_seq > 0;
    PERFORM perdure.lock_groups_1(_queue, _group);
    WITH held AS MATERIALIZED (
        SELECT m.ctid AS place FROM unnest(_places) p (place) JOIN perdure.message m ON m.ctid = p.place
        FOR UPDATE OF m SKIP LOCKED
    ), gone AS (
        DELETE FROM perdure.message m USING held h WHERE m.ctid = h.place
        RETURNING m.queue, m.ready_at, m.token IS NOT NULL AS leased, m.token IS NULL AND m.ready_at <> m.sent_at AS delayed,
                  CASE WHEN m.group_seq > 0 AND NOT m.blocked THEN m.group_key END AS group_key, m.group_seq
    )
    SELECT array_agg(g.queue), array_agg(g.group_key), array_agg(g.group_seq), array_agg(g.ready_at >> 22),
           array_agg(-g.delayed::integer), array_agg(-g.leased::integer)
    INTO _queue, _group, _seq, _ready, _delayed, _leased FROM gone g;
    SELECT array_agg(c.queue), array_agg(c.many) INTO queues, counts
    FROM (SELECT q.queue, count(*) AS many FROM unnest(_queue) q (queue) GROUP BY q.queue ORDER BY q.queue) c;
    PERFORM perdure.calendar_1(_lane, _queue, _ready, _delayed, _leased);
    -- Those of which the head has gone; with it may have gone some that were behind it.
    SELECT array_agg(h.queue), array_agg(h.group_key), array_agg(h.seq), array_agg(DISTINCT h.queue)
    INTO _queue, _group, _seq, grouped
    FROM unnest(_queue, _group, _seq) h (queue, group_key, seq) WHERE h.group_key IS NOT NULL;
    PERFORM perdure.leave_groups_1(_queue, _group, _seq);
END $$;

CREATE FUNCTION perdure.purge_1(_commit jsonb, _lane bigint) RETURNS jsonb
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    _queue bigint;
    _limit bigint := (_commit->>'limit')::bigint;
    _gone bigint;
BEGIN
    SELECT id INTO _queue FROM perdure.queue WHERE tenant = _commit->>'tenant' AND name = _commit->>'queue';
    IF NOT FOUND THEN
        RETURN jsonb_build_object('is', 'refused', 'why', 'NO_SUCH_QUEUE', 'queue', _commit->'queue');
    END IF;
    SELECT coalesce(r.counts[1], 0) INTO _gone FROM perdure.remove_1(ARRAY(
        SELECT c.place FROM (
            (SELECT m.ctid AS place, m.ready_at, m.id FROM perdure.message m
             WHERE m.queue = _queue AND NOT m.blocked ORDER BY m.ready_at, m.id LIMIT _limit)
            UNION ALL
            (SELECT m.ctid, m.ready_at, m.id FROM perdure.message m
             WHERE m.queue = _queue AND m.blocked ORDER BY m.ready_at, m.id LIMIT _limit)
        ) c ORDER BY c.ready_at, c.id LIMIT _limit), _lane) r;
    PERFORM perdure.count_1(_queue, _lane, 0, _gone, 0, 0, 0);
    RETURN jsonb_build_object('is', 'changed', 'count', _gone, 'ready', _commit->'queue');
END $$;

-- The settings of a queue as they travel.
CREATE FUNCTION perdure.settings_1(_queue perdure.queue) RETURNS text
LANGUAGE sql IMMUTABLE AS $$
    SELECT concat_ws(',', _queue.visibility_millis, _queue.retries, _queue.dead_letters::text, _queue.retention_millis,
                     _queue.dead_letter_retention_millis, _queue.max_delay_millis)
$$;

CREATE FUNCTION perdure.create_queue_1(_commit jsonb) RETURNS jsonb
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    _tenant text := _commit->>'tenant';
    _settings text[] := string_to_array(_commit->>'settings', ',');
    _existing perdure.queue;
BEGIN
    LOOP
        INSERT INTO perdure.queue (tenant, name, visibility_millis, retries, dead_letters, retention_millis,
                                   dead_letter_retention_millis, max_delay_millis)
        SELECT _tenant, n.name, _settings[1]::bigint, _settings[2]::integer, _settings[3]::boolean,
               _settings[4]::bigint, _settings[5]::bigint, _settings[6]::bigint
        FROM unnest(ARRAY[_commit->>'queue', _commit->>'queue' || '.dlq']) n (name)
        ON CONFLICT (tenant, name) DO NOTHING;
        IF FOUND THEN
            RETURN jsonb_build_object('is', 'changed', 'count', 1);
        END IF;
        SELECT * INTO _existing FROM perdure.queue WHERE tenant = _tenant AND name = _commit->>'queue';
        EXIT WHEN FOUND;
        -- It was deleted between the two statements.
    END LOOP;
    IF perdure.settings_1(_existing) = _commit->>'settings' THEN
        RETURN jsonb_build_object('is', 'changed', 'count', 0);
    END IF;
    RETURN jsonb_build_object('is', 'refused', 'why', 'QUEUE_DIFFERS', 'settings', perdure.settings_1(_existing));
END $$;

CREATE FUNCTION perdure.update_queue_1(_commit jsonb) RETURNS jsonb
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    _settings text[] := string_to_array(_commit->>'settings', ',');
    _existing perdure.queue;
BEGIN
    SELECT * INTO _existing FROM perdure.queue
    WHERE tenant = _commit->>'tenant' AND name = _commit->>'queue' FOR UPDATE;
    IF NOT FOUND THEN
        RETURN jsonb_build_object('is', 'refused', 'why', 'NO_SUCH_QUEUE', 'queue', _commit->'queue');
    END IF;
    IF perdure.settings_1(_existing) = _commit->>'settings' THEN
        RETURN jsonb_build_object('is', 'changed', 'count', 0);
    END IF;
    UPDATE perdure.queue
    SET visibility_millis = _settings[1]::bigint, retries = _settings[2]::integer,
        dead_letters = _settings[3]::boolean, retention_millis = _settings[4]::bigint,
        dead_letter_retention_millis = _settings[5]::bigint, max_delay_millis = _settings[6]::bigint
    WHERE tenant = _commit->>'tenant' AND name IN (_commit->>'queue', _commit->>'queue' || '.dlq');
    RETURN jsonb_build_object('is', 'changed', 'count', 1);
END $$;

CREATE FUNCTION perdure.delete_queue_1(_commit jsonb) RETURNS jsonb
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    _tenant text := _commit->>'tenant';
    _name text := _commit->>'queue';
    _queues bigint[];
BEGIN
    PERFORM pg_advisory_xact_lock(perdure.door_1(_tenant, _name));
    PERFORM 1 FROM perdure.queue WHERE tenant = _tenant AND name = _name FOR UPDATE;
    IF NOT FOUND THEN
        RETURN jsonb_build_object('is', 'refused', 'why', 'NO_SUCH_QUEUE', 'queue', _name);
    END IF;
    _queues := ARRAY(SELECT id FROM perdure.queue WHERE tenant = _tenant AND name IN (_name, _name || '.dlq'));
    -- One statement, so that a message on its way between the two is seen in one of them.
    IF EXISTS (SELECT 1 FROM unnest(_queues) q (id)
               WHERE EXISTS (SELECT 1 FROM perdure.message m WHERE m.queue = q.id)) THEN
        RETURN jsonb_build_object('is', 'refused', 'why', 'QUEUE_NOT_EMPTY');
    END IF;
    DELETE FROM perdure.queue WHERE id = ANY (_queues);
    DELETE FROM perdure.queue_count WHERE queue = ANY (_queues);
    DELETE FROM perdure.queue_due WHERE queue = ANY (_queues);
    DELETE FROM perdure.claimed_key WHERE tenant = _tenant AND scope = 'message' AND within = _name;
    RETURN jsonb_build_object('is', 'changed', 'count', 1);
END $$;
