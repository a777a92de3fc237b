-- works with releases that know migration 1
--
-- Leases: messages are received, runs are claimed, both in bulk and past what somebody else has locked. A claim never waits while it
-- holds a lock, so it takes part in no deadlock; a receive waits for groups, in their order, and only where it takes messages out.

-- The messages of a queue that are due, in their order: at most so many, locked. What is behind another one of its group is
-- blocked. Answers beside their places what decides about them: how often they were delivered, when they expire, whether
-- others wait behind them; and how they stand in the calendar: 1 as delayed, 2 as leased.
--
-- "_from" is where the look begins: the entries before it are known to be dead, and there may be millions of them while some
-- long transaction keeps them from being cleaned up.
CREATE FUNCTION perdure.due_messages_1(_queue bigint, _max integer, _now bigint, _from bigint, OUT places tid[], OUT ready bigint[],
                                       OUT entered integer[], OUT delivered integer[], OUT expires bigint[], OUT grouped boolean[])
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    SELECT array_agg(f.place), array_agg(f.ready_at), array_agg(f.entered), array_agg(f.deliveries), array_agg(f.expires_at),
           array_agg(f.group_seq > 0)
    INTO places, ready, entered, delivered, expires, grouped
    FROM (SELECT m.ctid AS place, m.*,
                 CASE WHEN m.token IS NOT NULL THEN 2 WHEN m.ready_at <> m.sent_at THEN 1 ELSE 0 END AS entered
          FROM perdure.message m
          WHERE m.queue = _queue AND NOT m.blocked AND m.ready_at >= _from AND m.ready_at <= _now
          ORDER BY m.ready_at, m.id LIMIT _max FOR UPDATE OF m SKIP LOCKED) f;
END $$;

-- The same where the clock has gone back: a lease that ends further ahead than twice its length counts as run out. Looks
-- at every message of the queue that is not blocked.
CREATE FUNCTION perdure.due_messages_after_step_back_1(
    _queue bigint, _max integer, _now bigint, OUT places tid[], OUT ready bigint[],
    OUT entered integer[], OUT delivered integer[], OUT expires bigint[], OUT grouped boolean[])
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    SELECT array_agg(f.place), array_agg(f.ready_at), array_agg(f.entered), array_agg(f.deliveries), array_agg(f.expires_at),
           array_agg(f.group_seq > 0)
    INTO places, ready, entered, delivered, expires, grouped
    FROM (SELECT m.ctid AS place, m.*,
                 CASE WHEN m.token IS NOT NULL THEN 2 WHEN m.ready_at <> m.sent_at THEN 1 ELSE 0 END AS entered
          FROM perdure.message m
          WHERE m.queue = _queue AND NOT m.blocked
            AND (m.ready_at <= _now OR (m.token IS NOT NULL AND m.ready_at > _now + 2 * m.lease_micros))
          ORDER BY m.ready_at, m.id LIMIT _max FOR UPDATE OF m SKIP LOCKED) f;
END $$;

-- The same among chosen messages.
CREATE FUNCTION perdure.due_messages_among_1(
    _tenant text, _queue bigint, _only uuid[], _max integer, _now bigint, OUT places tid[], OUT ready bigint[],
    OUT entered integer[], OUT delivered integer[], OUT expires bigint[], OUT grouped boolean[])
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    SELECT array_agg(f.place), array_agg(f.ready_at), array_agg(f.entered), array_agg(f.deliveries), array_agg(f.expires_at),
           array_agg(f.group_seq > 0)
    INTO places, ready, entered, delivered, expires, grouped
    FROM (SELECT m.ctid AS place, m.*,
                 CASE WHEN m.token IS NOT NULL THEN 2 WHEN m.ready_at <> m.sent_at THEN 1 ELSE 0 END AS entered
          FROM unnest(_only) c (id) JOIN perdure.message m ON m.id = c.id AND m.tenant = _tenant
          WHERE m.queue = _queue AND NOT m.blocked
            AND (m.ready_at <= _now OR (m.token IS NOT NULL AND m.ready_at > _now + 2 * m.lease_micros))
          ORDER BY m.ready_at, m.id LIMIT _max FOR UPDATE OF m SKIP LOCKED) f;
END $$;

-- Tells the calendar of leases that were taken: where the messages stood in it before, who has each now, and until when each of those.
-- Most stood nowhere.
CREATE FUNCTION perdure.leased_1(_queue bigint, _ready bigint[], _entered integer[], _whose integer[], _until bigint[]) RETURNS void
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    IF 1 = ANY (_entered) OR 2 = ANY (_entered) THEN
        PERFORM perdure.calendar_1(
            perdure.spare_lane_1(), array_agg(_queue), array_agg(f.ready >> 22), array_agg(-(f.entered = 1)::integer::bigint),
            array_agg(-(f.entered = 2)::integer::bigint))
        FROM unnest(_ready, _entered) f (ready, entered) WHERE f.entered > 0;
    END IF;
    PERFORM perdure.calendar_1(
        perdure.spare_lane_1(), array_agg(_queue), array_agg(_until[w.who] >> 22), array_agg(0::bigint), array_agg(w.many))
    FROM (SELECT who, count(*) AS many FROM unnest(_whose) who GROUP BY who) w;
END $$;

-- Leases messages for several receivers in one transaction: to the first as many as it has room for, then to the second, and so
-- on. Answers them in that order. The last row has no id and says how things stand: the time, or none where there is no such
-- queue; when the next message becomes ready; since when the first one found had been so; what the call took, in microseconds
-- and in pages of the index; how many messages were given up; how many were taken out, these and those that had expired; and whether
-- the queue has groups.
CREATE FUNCTION perdure.receive_1(
    _tenant text, _queue text, _max integer[], _token uuid[], _lease bigint[], _only uuid[], _from bigint)
RETURNS TABLE (id uuid, body text, headers text, group_key text, group_seq bigint, sent_at bigint, ready_at bigint,
               expires_at bigint, deliveries integer, earlier_deliveries integer, first_delivered bigint,
               last_delivered bigint, last_error text, dead_origin text, dead_reason text, dead_at bigint, dead_deliveries integer,
               now bigint, next_ready bigint, first_ready bigint, took bigint, pages bigint, given_up integer, left_out integer,
               groups boolean)
LANGUAGE plpgsql VOLATILE
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET enable_material = off
SET enable_bitmapscan = off SET enable_memoize = off SET plan_cache_mode = force_generic_plan SET jit = off
AS $$
#variable_conflict use_column
DECLARE
    _now bigint := perdure.clock_1();
    _back boolean := _now < perdure.latest_lease_1(_now, (SELECT min(l) FROM unnest(_lease) l));
    _here perdure.queue;
    _dead boolean;
    -- For each message that there is room for, who is to have it.
    _whose integer[] := ARRAY(SELECT w.who FROM unnest(_max) WITH ORDINALITY w (room, who), generate_series(1, w.room));
    _until bigint[] := ARRAY(SELECT least(253402300799999999, _now + l) FROM unnest(_lease) l);
    _due record;
    _message perdure.message;
    _many integer;
    _held text[];
    _again boolean := false;
    _began timestamptz := clock_timestamp();
    _pages bigint := pg_stat_get_xact_blocks_fetched('perdure.message_by_ready'::regclass);
    _first bigint;
BEGIN
    given_up := 0;
    left_out := 0;
    SELECT * INTO _here FROM perdure.queue q WHERE q.tenant = _tenant AND q.name = _queue;
    IF NOT FOUND THEN
        RETURN NEXT;
        RETURN;
    END IF;
    _dead := perdure.is_dead_letters_1(_here.name);
    LOOP
        IF _only IS NOT NULL THEN
            SELECT * INTO _due FROM perdure.due_messages_among_1(_tenant, _here.id, _only, cardinality(_whose), _now);
        ELSIF _back THEN
            SELECT * INTO _due FROM perdure.due_messages_after_step_back_1(_here.id, cardinality(_whose), _now);
        ELSE
            SELECT * INTO _due FROM perdure.due_messages_1(
                _here.id, cardinality(_whose), _now, coalesce(_from, -9223372036854775808));
        END IF;
        _first := coalesce(_first, _due.ready[1], _now);
        EXIT WHEN _due.places IS NULL;
        -- Those before the first that is not to be delivered.
        _many := coalesce((SELECT min(d.at) - 1 FROM unnest(_due.delivered, _due.expires) WITH ORDINALITY d (delivered, expires, at)
                           WHERE d.expires <= _now OR (NOT _dead AND d.delivered > _here.retries)), cardinality(_due.places));
        IF _many > 0 THEN
            RETURN QUERY WITH taken AS (
                UPDATE perdure.message m
                SET token = _token[_whose[f.at]], lease_micros = _lease[_whose[f.at]], ready_at = _until[_whose[f.at]],
                    deliveries = m.deliveries + 1,
                    first_delivered = CASE WHEN _dead THEN m.first_delivered ELSE coalesce(m.first_delivered, _now) END,
                    last_delivered = CASE WHEN _dead THEN m.last_delivered ELSE _now END
                FROM unnest(_due.places[1 : _many]) WITH ORDINALITY f (place, at)
                WHERE m.ctid = f.place
                RETURNING f.at, m.*)
            SELECT t.id, t.body, t.headers, t.group_key, t.group_seq, t.sent_at, t.ready_at, t.expires_at, t.deliveries,
                   t.earlier_deliveries, t.first_delivered, t.last_delivered, t.last_error, t.dead_origin, t.dead_reason,
                   t.dead_at, t.dead_deliveries, NULL::bigint, NULL::bigint, NULL::bigint, NULL::bigint, NULL::bigint,
                   NULL::integer, NULL::integer, NULL::boolean
            FROM taken t ORDER BY t.at;
            PERFORM perdure.leased_1(
                _here.id, _due.ready[1 : _many], _due.entered[1 : _many], _whose[1 : _many], _until);
            _whose := _whose[_many + 1 :];
        END IF;
        EXIT WHEN _many = cardinality(_due.places);
        -- Groups that lose their head are locked in one order, before the first does. For those that another look brings besides nobody
        -- waits: where one is locked the call ends, and the next one begins with it.
        IF _held IS NULL THEN
            SELECT coalesce(array_agg(m.group_key), '{}') INTO _held
            FROM unnest(_due.places, _due.delivered, _due.expires, _due.grouped) d (place, delivered, expires, grouped)
            JOIN perdure.message m ON m.ctid = d.place
            WHERE d.grouped AND (d.expires <= _now OR (NOT _dead AND d.delivered > _here.retries));
            PERFORM perdure.lock_groups_1(array_fill(_here.id, ARRAY[cardinality(_held)]), _held);
        END IF;
        -- The rest one by one, as long as it has expired or is used up, up to the first of a group: what comes after that one in its
        -- group may be next of all.
        LOOP
            _many := _many + 1;
            SELECT * INTO _message FROM perdure.message m WHERE m.ctid = _due.places[_many];
            IF _due.grouped[_many] AND _message.group_key <> ALL (_held) THEN
                PERFORM 1 FROM perdure.queue_group g WHERE g.queue = _here.id AND g.group_key = _message.group_key
                FOR UPDATE SKIP LOCKED;
                _again := NOT FOUND;
                EXIT WHEN _again;
                _held := _held || _message.group_key;
            END IF;
            IF _due.expires[_many] <= _now THEN
                PERFORM perdure.expire_1(_message);
            ELSE
                PERFORM perdure.give_up_1(_message, _here, 'DELIVERIES_USED_UP', _message.last_error, _now, perdure.spare_lane_1());
                given_up := given_up + 1;
            END IF;
            left_out := left_out + 1;
            EXIT WHEN left_out >= 500 OR _due.grouped[_many] OR _many = cardinality(_due.places)
                   OR NOT (_due.expires[_many + 1] <= _now OR (NOT _dead AND _due.delivered[_many + 1] > _here.retries));
        END LOOP;
        EXIT WHEN _again OR left_out >= 500;
    END LOOP;
    now := _now;
    -- Who was given all it asked for asks again at once. Where the look is dear, so is the search for the next one: then
    -- the caller makes do with a guess.
    IF _again OR left_out >= 500 THEN
        -- There may be many more that are not to be delivered. What was done stays done, and the caller comes back at once.
        next_ready := _now + 1;
    ELSIF cardinality(_whose) > 0 AND _from IS NULL THEN
        -- What is due and was not taken, though there was room, was locked by somebody, and nobody tells when it is free: so it counts
        -- as due again in a moment.
        next_ready := (SELECT CASE WHEN m.ready_at > _now THEN m.ready_at ELSE _now + 10000 END FROM perdure.message m
                       WHERE m.queue = _here.id AND NOT m.blocked AND m.ready_at < 253402300799999999
                         AND m.ready_at > CASE WHEN _only IS NULL THEN -1 ELSE _now END
                       ORDER BY m.ready_at LIMIT 1);
    END IF;
    first_ready := coalesce(_first, _now);
    took := (extract(epoch FROM clock_timestamp() - _began) * 1000000)::bigint;
    -- A call that took messages out has looked more than once, and says nothing of what one look costs.
    pages := CASE WHEN left_out > 0 THEN 0
                  ELSE pg_stat_get_xact_blocks_fetched('perdure.message_by_ready'::regclass) - _pages END;
    groups := EXISTS (SELECT 1 FROM perdure.queue_group g WHERE g.queue = _here.id);
    RETURN NEXT;
END $$;

-- Leases runs. The lines take turns: in each round every line that may have more gets an equal share of what is left to take, and
-- goes on behind its last one. Past the time for reclaims, what has a token is left alone: its lease ran out, and this call was
-- held up as much as its holder may have been.
CREATE FUNCTION perdure.claim_1(_tenant text, _queue text[], _version integer[], _becomes text[], _max integer, _token uuid,
                                _lease bigint, _reclaims_until bigint)
RETURNS TABLE (run uuid, line integer, lapses integer, leased_until bigint, next_ready bigint)
LANGUAGE plpgsql VOLATILE
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET enable_material = off
SET enable_bitmapscan = off SET enable_memoize = off SET plan_cache_mode = force_generic_plan SET jit = off
AS $$
#variable_conflict use_column
DECLARE
    _now bigint := perdure.clock_1();
    _reclaims boolean := _now < _reclaims_until;
    _until bigint := least(253402300799999999, _now + _lease);
    _back boolean := _now < perdure.latest_lease_1(_now, _lease);
    _open integer[] := ARRAY(SELECT generate_subscripts(_queue, 1));
    _still_open integer[];
    _after_ready bigint[] := array_fill(-1::bigint, ARRAY[cardinality(_queue)]);
    _after_run uuid[] := array_fill('00000000-0000-0000-0000-000000000000'::uuid, ARRAY[cardinality(_queue)]);
    _taken integer[] := array_fill(0, ARRAY[cardinality(_queue)]);
    _left integer := _max;
    _share integer;
    _line integer;
    _found integer;
    _ids uuid[];
    _tids tid[];
    _ready bigint[];
    _runs uuid[] := '{}';
    _places tid[] := '{}';
    _lines integer[] := '{}';
    _ranks integer[] := '{}';
BEGIN
    WHILE _left > 0 AND _open <> '{}' LOOP
        _share := greatest(1, _left / cardinality(_open));
        _still_open := '{}';
        FOREACH _line IN ARRAY _open LOOP
            EXIT WHEN _left = 0;
            IF _back THEN
                SELECT array_agg(d.run), array_agg(d.place), array_agg(d.ready_at) INTO _ids, _tids, _ready FROM (
                    SELECT m.run, m.ctid AS place, m.ready_at FROM perdure.run_message m
                    WHERE m.tenant = _tenant AND m.queue = _queue[_line] AND m.ready_at >= 0
                      AND (m.ready_at, m.run) > (_after_ready[_line], _after_run[_line])
                      AND (m.ready_at <= _now OR (m.token IS NOT NULL AND m.ready_at > _now + 2 * m.lease_micros))
                      AND (_reclaims OR m.token IS NULL)
                    ORDER BY m.ready_at, m.run LIMIT least(_share, _left) FOR UPDATE SKIP LOCKED) d;
            ELSIF _becomes[_line] <> _queue[_line] THEN
                -- These take their version now, so their run's row changes too: it comes first in the order of locks.
                SELECT array_agg(d.run), array_agg(d.place), array_agg(d.ready_at) INTO _ids, _tids, _ready FROM (
                    SELECT m.run, m.ctid AS place, m.ready_at
                    FROM perdure.run_message m JOIN perdure.run r ON r.id = m.run AND r.tenant = m.tenant
                    WHERE m.tenant = _tenant AND m.queue = _queue[_line] AND m.ready_at >= 0 AND m.ready_at <= _now
                      AND (m.ready_at, m.run) > (_after_ready[_line], _after_run[_line])
                      AND (_reclaims OR m.token IS NULL)
                    ORDER BY m.ready_at, m.run LIMIT least(_share, _left) FOR UPDATE SKIP LOCKED) d;
            ELSE
                SELECT array_agg(d.run), array_agg(d.place), array_agg(d.ready_at) INTO _ids, _tids, _ready FROM (
                    SELECT m.run, m.ctid AS place, m.ready_at FROM perdure.run_message m
                    WHERE m.tenant = _tenant AND m.queue = _queue[_line] AND m.ready_at >= 0 AND m.ready_at <= _now
                      AND (m.ready_at, m.run) > (_after_ready[_line], _after_run[_line])
                      AND (_reclaims OR m.token IS NULL)
                    ORDER BY m.ready_at, m.run LIMIT least(_share, _left) FOR UPDATE SKIP LOCKED) d;
            END IF;
            CONTINUE WHEN _ids IS NULL;
            IF _becomes[_line] <> _queue[_line] THEN
                UPDATE perdure.run r SET version = _version[_line]
                FROM unnest(_ids, array_fill(_tenant, ARRAY[cardinality(_ids)])) i (id, tenant)
                WHERE r.id = i.id AND r.tenant = i.tenant;
            END IF;
            _found := cardinality(_ids);
            IF _found = least(_share, _left) THEN
                _still_open := _still_open || _line;
            END IF;
            _after_ready[_line] := _ready[_found];
            _after_run[_line] := _ids[_found];
            _runs := _runs || _ids;
            _places := _places || _tids;
            _lines := _lines || array_fill(_line, ARRAY[_found]);
            _ranks := _ranks || ARRAY(SELECT generate_series(_taken[_line] + 1, _taken[_line] + _found));
            _taken[_line] := _taken[_line] + _found;
            _left := _left - _found;
        END LOOP;
        _open := _still_open;
    END LOOP;
    -- Taken while the lease before was never given back: that one has lapsed. An event since then starts the count anew.
    RETURN QUERY WITH chosen AS (
        SELECT c.line, c.rank, c.place,
               coalesce((SELECT e.seq FROM perdure.event e WHERE e.run = c.run AND e.tenant = _tenant
                         ORDER BY e.seq DESC LIMIT 1), 0) AS last
        FROM unnest(_runs, _places, _lines, _ranks) c (run, place, line, rank) OFFSET 0
    ), taken AS (
        UPDATE perdure.run_message m
        SET token = _token, lease_micros = _lease, ready_at = _until, queue = _becomes[c.line], wake_on = '{}',
            lapses = CASE WHEN m.token IS NULL THEN m.lapses WHEN c.last > m.leased_at_seq THEN 1 ELSE m.lapses + 1 END,
            leased_at_seq = c.last
        FROM chosen c WHERE m.ctid = c.place
        RETURNING m.run, c.line, c.rank, m.lapses)
    SELECT t.run, t.line, t.lapses, _until, NULL::bigint FROM taken t ORDER BY t.rank, t.line;
    -- What is due and was not taken, though there was room, was locked by somebody, an extension that came too late, say: it was skipped, and nobody tells when
    -- it is free. So it counts as due again in a moment.
    RETURN QUERY SELECT NULL::uuid, NULL::integer, NULL::integer, NULL::bigint, min(n.ready)
        FROM unnest(_queue) q (name), LATERAL (
            SELECT CASE WHEN m.ready_at > _now THEN m.ready_at ELSE _now + 10000 END AS ready FROM perdure.run_message m
            -- Where there was no room, all that is due is left out by the index: there may be very much of it.
            WHERE m.tenant = _tenant AND m.queue = q.name AND m.ready_at >= 0
              AND m.ready_at > CASE WHEN _left > 0 THEN -1 ELSE _now END
              AND (m.ready_at > _now OR m.token IS NULL OR _reclaims)
              AND m.ready_at < 253402300799999999
            ORDER BY m.ready_at LIMIT 1) n;
END $$;

-- Lengthens leases of runs and of messages, each on its own. Ids of runs and of messages are two spaces: the token tells
-- which of the two is meant.
CREATE FUNCTION perdure.extend_1(_tenant text[], _id uuid[], _token uuid[], _length bigint[])
RETURNS TABLE (place bigint, ends bigint, status text)
LANGUAGE plpgsql VOLATILE
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET enable_material = off
SET enable_bitmapscan = off SET enable_memoize = off SET plan_cache_mode = force_generic_plan SET jit = off
AS $$
#variable_conflict use_column
DECLARE
    _now bigint := perdure.clock_1();
    _queues bigint[];
    _slots bigint[];
    _leased bigint[];
BEGIN
    PERFORM perdure.latest_lease_1(_now, (SELECT min(l) FROM unnest(_length) l));
    -- In the order of their ids, as a flush takes them.
    PERFORM 1 FROM perdure.run_message m WHERE m.run = ANY (_id) ORDER BY m.run FOR NO KEY UPDATE;
    PERFORM 1 FROM perdure.message m WHERE m.id = ANY (_id) ORDER BY m.id FOR NO KEY UPDATE;
    -- Where a lease is named twice, the later one counts. Every lookup is a subquery with LIMIT 1, which can only be run row by
    -- row over an index: a join may compare each lease that was named with each that there is.
    WITH latest AS (
        SELECT DISTINCT ON (a.tenant, a.id, a.token) a.*
        FROM unnest(_tenant, _id, _token, _length) WITH ORDINALITY a (tenant, id, token, length, place)
        ORDER BY a.tenant, a.id, a.token, a.place DESC
    ), found AS (
        SELECT a.length, least(253402300799999999, _now + a.length) AS ends,
               (SELECT m.ctid FROM perdure.run_message m
                WHERE m.run = a.id AND m.tenant = a.tenant AND m.token = a.token LIMIT 1) AS run,
               (SELECT m.ctid FROM perdure.message m
                WHERE m.id = a.id AND m.tenant = a.tenant AND m.token = a.token LIMIT 1) AS message,
               (SELECT m.ready_at FROM perdure.message m
                WHERE m.id = a.id AND m.tenant = a.tenant AND m.token = a.token LIMIT 1) AS ended
        FROM latest a OFFSET 0
    ), runs AS (
        UPDATE perdure.run_message m SET ready_at = f.ends, lease_micros = f.length FROM found f WHERE m.ctid = f.run
    ), messages AS (
        UPDATE perdure.message m SET ready_at = f.ends, lease_micros = f.length
        FROM found f WHERE m.ctid = f.message AND f.run IS NULL
        RETURNING m.queue, f.ended, f.ends
    )
    SELECT array_agg(m.queue) || array_agg(m.queue), array_agg(m.ended >> 22) || array_agg(m.ends >> 22),
           array_agg(-1::bigint) || array_agg(1::bigint)
    INTO _queues, _slots, _leased FROM messages m;
    IF _queues IS NOT NULL THEN
        PERFORM perdure.calendar_1(perdure.spare_lane_1(), _queues, _slots,
                                   array_fill(0::bigint, ARRAY[cardinality(_queues)]), _leased);
    END IF;
    RETURN QUERY SELECT h.place,
        CASE WHEN h.held THEN least(253402300799999999, _now + h.length) END,
        CASE WHEN h.held IS NULL THEN perdure.status_1(h.tenant, h.id) END
    FROM (SELECT a.*, coalesce((SELECT true FROM perdure.run_message m
                                WHERE m.run = a.id AND m.tenant = a.tenant AND m.token = a.token LIMIT 1),
                               (SELECT true FROM perdure.message m
                                WHERE m.id = a.id AND m.tenant = a.tenant AND m.token = a.token LIMIT 1)) AS held
          FROM unnest(_tenant, _id, _token, _length) WITH ORDINALITY a (tenant, id, token, length, place) OFFSET 0) h
    ORDER BY h.place;
END $$;

-- A worker says that it is alive for so long. One that was silent for longer than it had said begins anew.
CREATE FUNCTION perdure.announce_1(_tenant text, _process uuid, _name text, _served text, _concurrency integer, _length bigint)
RETURNS void
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    _now bigint := perdure.clock_1();
BEGIN
    INSERT INTO perdure.worker AS w (tenant, process, name, served, concurrency, since, until)
    VALUES (_tenant, _process, _name, _served, _concurrency, _now, least(253402300799999999, _now + _length))
    ON CONFLICT (tenant, process) DO UPDATE
    SET name = excluded.name, served = excluded.served, concurrency = excluded.concurrency, until = excluded.until,
        since = CASE WHEN w.until > _now THEN w.since ELSE _now END;
END $$;
