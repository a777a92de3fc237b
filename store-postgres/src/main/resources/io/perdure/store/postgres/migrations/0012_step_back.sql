-- works with releases that know migration 1
--
-- Leases once more. After the clock went back no holder loses its lease: one that ends further ahead than twice its length is shortened to one
-- length from now, and its token stays. A live holder confirms it by its next extension, a dead one loses it one length later. And claims
-- begin their look where a caller says: the entries before that are known to be dead.

-- How far the repair of leases has come that follows when the clock went back. At most one row, which only the session that holds the advisory lock of
-- repair_leases_1 reads and writes.
CREATE TABLE perdure.lease_repair (
    one           boolean PRIMARY KEY DEFAULT true CHECK (one),
    -- 0: nothing to do. 1: the clock reads less than the latest lease. 2: it is the clock again.
    phase         integer NOT NULL,
    seen          bigint  NOT NULL,
    began         bigint  NOT NULL,
    restarted     bigint  NOT NULL,
    done          boolean NOT NULL,
    runs_done     boolean NOT NULL,
    -- The last entries that were looked at.
    run_queue     text COLLATE "C" NOT NULL,
    run_tenant    text COLLATE "C" NOT NULL,
    run_ready     bigint  NOT NULL,
    run           uuid    NOT NULL,
    queue         bigint  NOT NULL,
    message_ready bigint  NOT NULL,
    message       uuid    NOT NULL
) WITH (fillfactor = 20);

-- The latest time at which a sweep removed slots of the calendar.
CREATE SEQUENCE perdure.calendar_swept AS bigint MINVALUE 0 START 0;
SELECT setval('perdure.calendar_swept', (SELECT last_value FROM perdure.latest_lease));

-- Shortens the leases of runs that end too far ahead, among the next 20,000 entries of the index that wait for a time. Goes from queue to queue
-- of each tenant: what is due, be it a million, is elsewhere in the index. A row that another transaction holds is changed by it anyway, and is skipped.
CREATE FUNCTION perdure.shorten_runs_1(_at perdure.lease_repair, _now bigint) RETURNS perdure.lease_repair
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    _left integer := 20000;
    _many integer;
    _far tid[];
BEGIN
    LOOP
        SELECT array_agg(f.place) FILTER (WHERE f.far), count(*), max(f.ready_at),
               (array_agg(f.run ORDER BY f.ready_at DESC, f.run DESC))[1]
        INTO _far, _many, _at.run_ready, _at.run
        FROM (SELECT m.ctid AS place, m.ready_at, m.run,
                     m.token IS NOT NULL AND m.ready_at > _now + 2 * m.lease_micros AS far
              FROM perdure.run_message m
              WHERE m.queue = _at.run_queue AND m.tenant = _at.run_tenant AND m.ready_at >= 0 AND m.ready_at > _now
                AND (m.ready_at, m.run) > (_at.run_ready, _at.run)
              ORDER BY m.ready_at, m.run LIMIT _left) f;
        IF _far IS NOT NULL THEN
            UPDATE perdure.run_message m SET ready_at = least(253402300799999999, _now + m.lease_micros)
            FROM (SELECT m.ctid AS place FROM unnest(_far) f (place) JOIN perdure.run_message m ON m.ctid = f.place
                  WHERE m.token IS NOT NULL AND m.ready_at > _now + 2 * m.lease_micros
                  FOR UPDATE OF m SKIP LOCKED) l
            WHERE m.ctid = l.place;
        END IF;
        IF _many < _left THEN
            _at.run_ready := -1;
            _at.run := '00000000-0000-0000-0000-000000000000';
            SELECT m.queue, m.tenant INTO _at.run_queue, _at.run_tenant FROM perdure.run_message m
            WHERE m.ready_at >= 0 AND (m.queue, m.tenant) > (_at.run_queue, _at.run_tenant)
            ORDER BY m.queue, m.tenant LIMIT 1;
            _at.runs_done := NOT FOUND;
            EXIT WHEN _at.runs_done;
        END IF;
        -- To go to another queue costs some entries, too.
        _left := _left - _many - 10;
        EXIT WHEN _left <= 0;
    END LOOP;
    _at.run_queue := coalesce(_at.run_queue, '');
    _at.run_tenant := coalesce(_at.run_tenant, '');
    RETURN _at;
END $$;

-- Shortens the leases of messages that end too far ahead, in the same way.
CREATE FUNCTION perdure.shorten_messages_1(_at perdure.lease_repair, _now bigint) RETURNS perdure.lease_repair
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    _left integer := 20000;
    _many integer;
    _far tid[];
    _ended bigint[];
    _ends bigint[];
BEGIN
    LOOP
        SELECT array_agg(f.place) FILTER (WHERE f.far), count(*), max(f.ready_at),
               (array_agg(f.id ORDER BY f.ready_at DESC, f.id DESC))[1]
        INTO _far, _many, _at.message_ready, _at.message
        FROM (SELECT m.ctid AS place, m.ready_at, m.id,
                     m.token IS NOT NULL AND m.ready_at > _now + 2 * m.lease_micros AS far
              FROM perdure.message m
              WHERE m.queue = _at.queue AND NOT m.blocked AND m.ready_at > _now
                AND (m.ready_at, m.id) > (_at.message_ready, _at.message)
              ORDER BY m.ready_at, m.id LIMIT _left) f;
        IF _far IS NOT NULL THEN
            WITH held AS (
                SELECT m.ctid AS place, m.ready_at AS ended, least(253402300799999999, _now + m.lease_micros) AS ends
                FROM unnest(_far) f (place) JOIN perdure.message m ON m.ctid = f.place
                WHERE m.token IS NOT NULL AND m.ready_at > _now + 2 * m.lease_micros
                FOR UPDATE OF m SKIP LOCKED
            ), shortened AS (
                UPDATE perdure.message m SET ready_at = h.ends FROM held h WHERE m.ctid = h.place RETURNING h.ended, h.ends
            )
            SELECT array_agg(s.ended), array_agg(s.ends) INTO _ended, _ends FROM shortened s;
            PERFORM perdure.calendar_1(
                perdure.spare_lane_1(), array_agg(_at.queue), array_agg(c.ends >> 22), array_agg(0::bigint), array_agg(c.leased))
            FROM (SELECT e AS ends, -1::bigint AS leased FROM unnest(_ended) e
                  UNION ALL SELECT e, 1 FROM unnest(_ends) e) c;
        END IF;
        IF _many < _left THEN
            _at.message_ready := -1;
            _at.message := '00000000-0000-0000-0000-000000000000';
            _at.queue := (SELECT min(q.id) FROM perdure.queue q WHERE q.id > _at.queue);
            _at.done := _at.queue IS NULL;
            EXIT WHEN _at.done;
        END IF;
        _left := _left - _many - 10;
        EXIT WHEN _left <= 0;
    END LOOP;
    _at.queue := coalesce(_at.queue, 0);
    RETURN _at;
END $$;

-- Goes on repairing leases after the clock went back, a bounded number at a time, one call at a time. Takes part in no deadlock: it never
-- waits.
--
-- When all leases were looked at, and that is committed, the clock that went back is the clock: the latest lease was taken now, and no claim
-- looks any further. What a slow transaction wrote meanwhile by the time before is found by another look, which a sweep takes a minute later.
CREATE FUNCTION perdure.repair_leases_1(_now bigint, _back boolean) RETURNS void
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    _at perdure.lease_repair;
    _anew boolean;
BEGIN
    IF NOT pg_try_advisory_xact_lock(hashtextextended('perdure.lease_repair', 0)) THEN
        RETURN;
    END IF;
    SELECT * INTO _at FROM perdure.lease_repair;
    IF _back THEN
        IF _at.phase = 1 AND _at.done AND _now >= _at.seen THEN
            PERFORM setval('perdure.latest_lease', _now);
            _at.phase := 2;
            _at.restarted := _now;
            _anew := true;
        ELSE
            _anew := _at.phase IS DISTINCT FROM 1 OR _now < _at.seen;
            _at.phase := 1;
            _at.restarted := 0;
        END IF;
    ELSIF coalesce(_at.phase, 0) = 0 OR (_at.done AND _now < _at.restarted + 60000000) THEN
        RETURN;
    ELSIF _at.phase = 1 THEN
        -- The clock has come again to where it was. Or a call set the latest lease, which is not rolled back, and failed after that: so leases are
        -- looked at once more all the same.
        UPDATE perdure.lease_repair SET phase = 2, restarted = _now;
        RETURN;
    ELSE
        _anew := _at.done;
    END IF;
    _at.one := true;
    _at.seen := _now;
    IF _anew THEN
        _at.began := _now;
        _at.done := false;
        _at.runs_done := false;
        _at.run_queue := '';
        _at.run_tenant := '';
        _at.run_ready := -1;
        _at.run := '00000000-0000-0000-0000-000000000000';
        _at.queue := 0;
        _at.message_ready := -1;
        _at.message := '00000000-0000-0000-0000-000000000000';
    END IF;
    IF NOT _at.runs_done THEN
        _at := perdure.shorten_runs_1(_at, _now);
    END IF;
    IF _at.runs_done AND NOT _at.done THEN
        _at := perdure.shorten_messages_1(_at, _now);
    END IF;
    IF _at.done AND _at.phase = 2 AND _at.began >= _at.restarted + 60000000 THEN
        _at.phase := 0;
    END IF;
    DELETE FROM perdure.lease_repair;
    INSERT INTO perdure.lease_repair SELECT _at.*;
END $$;

-- The time at which leases are taken. Whether the clock went back is told by the latest lease, which is read before the clock: so nobody takes
-- a neighbour that was a moment quicker for a clock that went back.
CREATE FUNCTION perdure.lease_clock_1(_lease bigint) RETURNS bigint
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    _latest bigint := (SELECT last_value FROM perdure.latest_lease);
    _now bigint := perdure.clock_1();
BEGIN
    IF _now < _latest THEN
        PERFORM perdure.repair_leases_1(_now, true);
    ELSIF _latest < _now - _lease THEN
        PERFORM setval('perdure.latest_lease', _now);
    END IF;
    RETURN _now;
END $$;

-- The messages that are due, among chosen ones. Answers what due_messages_1 does.
CREATE FUNCTION perdure.due_messages_among_2(
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
          WHERE m.queue = _queue AND NOT m.blocked AND m.ready_at <= _now
          ORDER BY m.ready_at, m.id LIMIT _max FOR UPDATE OF m SKIP LOCKED) f;
END $$;

-- As receive_1, but for a clock that went back.
CREATE FUNCTION perdure.receive_2(
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
    _now bigint;
    _here perdure.queue;
    _dead boolean;
    -- For each message that there is room for, who is to have it.
    _whose integer[] := ARRAY(SELECT w.who FROM unnest(_max) WITH ORDINALITY w (room, who), generate_series(1, w.room));
    _until bigint[];
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
    _now := perdure.lease_clock_1((SELECT min(l) FROM unnest(_lease) l));
    _until := ARRAY(SELECT least(253402300799999999, _now + l) FROM unnest(_lease) l);
    _dead := perdure.is_dead_letters_1(_here.name);
    LOOP
        IF _only IS NOT NULL THEN
            SELECT * INTO _due FROM perdure.due_messages_among_2(_tenant, _here.id, _only, cardinality(_whose), _now);
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
--
-- "_from" is where the look begins in each line, -1 for its first entry: the entries before it are known to be dead, and there may be millions of
-- them while some long transaction keeps them from being cleaned up. The last row has no run and says how things stand: when the next run becomes
-- ready; the time; since when the first run found in each line had been ready, the time if there is none, -1 for a line that was not looked at; what the
-- call took, in microseconds, and in pages of the index that the look for runs read.
CREATE FUNCTION perdure.claim_2(_tenant text, _queue text[], _version integer[], _becomes text[], _max integer, _token uuid,
                                _lease bigint, _reclaims_until bigint, _from bigint[])
RETURNS TABLE (run uuid, line integer, lapses integer, leased_until bigint, next_ready bigint, now bigint, first_ready bigint[],
               took bigint, pages bigint)
LANGUAGE plpgsql VOLATILE
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET enable_material = off
SET enable_bitmapscan = off SET enable_memoize = off SET plan_cache_mode = force_generic_plan SET jit = off
AS $$
#variable_conflict use_column
DECLARE
    _now bigint := perdure.lease_clock_1(_lease);
    _reclaims boolean := _now < _reclaims_until;
    _until bigint := least(253402300799999999, _now + _lease);
    _open integer[] := ARRAY(SELECT generate_subscripts(_queue, 1));
    _still_open integer[];
    _after_ready bigint[] := _from;
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
    _first bigint[] := array_fill(-1::bigint, ARRAY[cardinality(_queue)]);
    _began timestamptz := clock_timestamp();
    _pages bigint := pg_stat_get_xact_blocks_fetched('perdure.run_message_by_ready'::regclass);
    _dear boolean;
BEGIN
    WHILE _left > 0 AND _open <> '{}' LOOP
        _share := greatest(1, _left / cardinality(_open));
        _still_open := '{}';
        FOREACH _line IN ARRAY _open LOOP
            EXIT WHEN _left = 0;
            IF _becomes[_line] <> _queue[_line] THEN
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
            IF _taken[_line] = 0 THEN
                _first[_line] := coalesce(_ready[1], _now);
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
    -- What follows writes to the index, which takes pages that say nothing of dead entries.
    _pages := pg_stat_get_xact_blocks_fetched('perdure.run_message_by_ready'::regclass) - _pages;
    _dear := coalesce(_pages > 100 + 10 * cardinality(_queue), false);
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
    SELECT t.run, t.line, t.lapses, _until, NULL::bigint, NULL::bigint, NULL::bigint[], NULL::bigint, NULL::bigint
    FROM taken t ORDER BY t.rank, t.line;
    -- What is due and was not taken, though there was room, was locked, by an extension that came too late, say: it was skipped, and nothing tells when
    -- it is free. So it counts as due again in a moment. After a look that read many pages of dead entries they are not read again: what was locked
    -- before the first run found is looked for by the next claim, soon.
    next_ready := (SELECT min(n.ready)
        FROM unnest(_queue, _from, _first) q (name, begins, first), LATERAL (
            SELECT CASE WHEN m.ready_at > _now THEN m.ready_at ELSE _now + 10000 END AS ready FROM perdure.run_message m
            -- Where there was no room, all that is due is left out by the index: there may be very much of it.
            WHERE m.tenant = _tenant AND m.queue = q.name AND m.ready_at >= 0
              AND m.ready_at > CASE WHEN _left = 0 THEN _now WHEN _dear THEN q.first - 1 ELSE q.begins - 1 END
              AND (m.ready_at > _now OR m.token IS NULL OR _reclaims)
              AND m.ready_at < 253402300799999999
            ORDER BY m.ready_at LIMIT 1) n);
    IF _dear AND _left > 0 THEN
        next_ready := least(next_ready, _now + 250000);
    END IF;
    now := _now;
    first_ready := _first;
    took := (extract(epoch FROM clock_timestamp() - _began) * 1000000)::bigint;
    pages := _pages;
    RETURN NEXT;
END $$;

-- As sweep_messages_1, but for a clock that went back.
CREATE FUNCTION perdure.sweep_messages_2(_limit integer, OUT swept integer, OUT ready text[])
LANGUAGE plpgsql VOLATILE
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET enable_material = off
SET enable_bitmapscan = off SET enable_memoize = off SET plan_cache_mode = force_generic_plan SET jit = off
AS $$
DECLARE
    _latest bigint := (SELECT last_value FROM perdure.latest_lease);
    _now bigint := perdure.clock_1();
    _lane bigint := perdure.spare_lane_1();
    _queues bigint[];
    _counts bigint[];
    _grouped bigint[];
    _moved bigint;
BEGIN
    PERFORM perdure.repair_leases_1(_now, _now < _latest);
    -- Slots go by this clock. Should it go back, they are known to be missing.
    IF _now > (SELECT last_value FROM perdure.calendar_swept) THEN
        PERFORM setval('perdure.calendar_swept', _now);
    END IF;
    SELECT r.queues, r.counts, r.grouped INTO _queues, _counts, _grouped FROM perdure.remove_1(ARRAY(
        SELECT m.ctid FROM perdure.message m
        WHERE m.expires_at <= _now
          AND NOT (m.token IS NOT NULL AND m.ready_at > _now)
        ORDER BY m.expires_at, m.id LIMIT _limit), _lane) r;
    swept := coalesce((SELECT sum(c) FROM unnest(_counts) c), 0);
    PERFORM perdure.count_1(g.queue, _lane, 0, 0, 0, 0, g.many) FROM unnest(_queues, _counts) g (queue, many);
    SELECT array_agg(q.tenant) || array_agg(q.name) INTO ready FROM perdure.queue q WHERE q.id = ANY (_grouped);
    -- Slots that were over an hour ago go too: they say nothing any more. There are many small ones, for each lane and 4 seconds.
    WITH old AS (
        SELECT d.queue, d.bits, d.slot, d.lane FROM perdure.queue q, (VALUES (22), (28)) s (bits), LATERAL (
            SELECT * FROM perdure.queue_due WHERE queue = q.id AND bits = s.bits AND slot < (_now - 3600000000) >> s.bits
            LIMIT 50 * _limit FOR UPDATE SKIP LOCKED) d
        LIMIT 50 * _limit
    )
    DELETE FROM perdure.queue_due d USING old o
    WHERE d.queue = o.queue AND d.bits = o.bits AND d.slot = o.slot AND d.lane = o.lane;
    -- What backends have counted without a lane goes over to lane 0; most of them will not come again.
    WITH spare AS (
        SELECT n.queue, n.lane FROM perdure.queue q, LATERAL (
            SELECT * FROM perdure.queue_count WHERE queue = q.id AND lane < 0
            LIMIT 50 * _limit FOR UPDATE SKIP LOCKED) n
        LIMIT 50 * _limit FOR KEY SHARE OF q SKIP LOCKED
    ), gone AS (
        DELETE FROM perdure.queue_count n USING spare s WHERE n.queue = s.queue AND n.lane = s.lane RETURNING n.*
    )
    SELECT count(*) INTO _moved FROM (
        SELECT perdure.count_1(g.queue, 0, sum(g.came_in)::bigint, sum(g.went_out)::bigint, sum(g.retried)::bigint,
                               sum(g.dead_lettered)::bigint, sum(g.expired)::bigint)
        FROM gone g GROUP BY g.queue ORDER BY g.queue) m;
END $$;

-- As figures_1, but the calendar also serves after the clock went back, unless slots that are to come were removed.
CREATE FUNCTION perdure.figures_2(_tenant text, _queue text)
RETURNS TABLE (ready bigint, delayed bigint, leased bigint, oldest bigint, came_in bigint, went_out bigint, retried bigint,
               dead_lettered bigint, expired bigint)
LANGUAGE plpgsql STABLE
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET enable_material = off
SET enable_bitmapscan = off SET enable_memoize = off SET plan_cache_mode = force_generic_plan SET jit = off
AS $$
#variable_conflict use_column
DECLARE
    _now bigint := perdure.clock_1();
    _slot bigint := _now >> 22;
    _large bigint := _now >> 28;
    _here bigint := (SELECT q.id FROM perdure.queue q WHERE q.tenant = _tenant AND q.name = _queue);
BEGIN
    IF _here IS NULL THEN
        RETURN;
    END IF;
    SELECT coalesce(sum(n.came_in), 0), coalesce(sum(n.went_out), 0), coalesce(sum(n.retried), 0),
           coalesce(sum(n.dead_lettered), 0), coalesce(sum(n.expired), 0)
    INTO came_in, went_out, retried, dead_lettered, expired
    FROM perdure.queue_count n WHERE n.queue = _here;
    oldest := (SELECT min(f.ready_at) FROM unnest(ARRAY[false, true]) b (blocked), LATERAL (
        SELECT m.ready_at FROM perdure.message m
        WHERE m.queue = _here AND m.blocked = b.blocked AND m.ready_at <= _now ORDER BY m.ready_at LIMIT 1) f);
    IF _now >= (SELECT last_value FROM perdure.calendar_swept) - 3600000000 THEN
        SELECT coalesce(sum(w.delayed), 0), coalesce(sum(w.leased), 0) INTO delayed, leased FROM (
            SELECT d.delayed, d.leased FROM perdure.queue_due d WHERE d.queue = _here AND d.bits = 28 AND d.slot > _large
            UNION ALL
            SELECT d.delayed, d.leased FROM perdure.queue_due d
            WHERE d.queue = _here AND d.bits = 22 AND d.slot > _slot AND d.slot < (_large + 1) << 6
            UNION ALL
            SELECT (m.token IS NULL)::integer, (m.token IS NOT NULL)::integer
            FROM unnest(ARRAY[false, true]) b (blocked), perdure.message m
            WHERE m.queue = _here AND m.blocked = b.blocked AND m.ready_at > _now AND m.ready_at < (_slot + 1) << 22
              AND (m.token IS NOT NULL OR m.ready_at <> m.sent_at)) w;
    ELSE
        -- The clock has gone back, and slots that are to come were removed by the time before: what waits for a time is counted.
        SELECT count(*) FILTER (WHERE m.token IS NULL AND m.ready_at <> m.sent_at), count(*) FILTER (WHERE m.token IS NOT NULL)
        INTO delayed, leased FROM unnest(ARRAY[false, true]) b (blocked), perdure.message m
        WHERE m.queue = _here AND m.blocked = b.blocked AND m.ready_at > _now;
    END IF;
    ready := came_in - went_out - dead_lettered - expired - delayed - leased;
    RETURN NEXT;
END $$;
