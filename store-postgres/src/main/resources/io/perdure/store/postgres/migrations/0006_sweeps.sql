-- works with releases that know migration 1
--
-- Sweeps: what has served its time goes, a bounded number at a time, past what somebody else has locked. What is chosen is a CTE
-- and not a subquery: a join may run a subquery again for each of its rows, and would choose others each time.

CREATE FUNCTION perdure.sweep_messages_1(_limit integer, OUT swept integer, OUT ready text[])
LANGUAGE plpgsql VOLATILE
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET enable_material = off
SET enable_bitmapscan = off SET enable_memoize = off SET plan_cache_mode = force_generic_plan SET jit = off
AS $$
DECLARE
    _now bigint := perdure.clock_1();
    _lane bigint := perdure.spare_lane_1();
    _queues bigint[];
    _counts bigint[];
    _grouped bigint[];
    _moved bigint;
BEGIN
    -- Slots go by this clock. Should it go back, they are known to be missing.
    PERFORM perdure.latest_lease_1(_now, 0);
    SELECT r.queues, r.counts, r.grouped INTO _queues, _counts, _grouped FROM perdure.remove_1(ARRAY(
        SELECT m.ctid FROM perdure.message m
        WHERE m.expires_at <= _now
          AND NOT (m.token IS NOT NULL AND m.ready_at > _now AND m.ready_at <= _now + 2 * m.lease_micros)
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

CREATE FUNCTION perdure.sweep_runs_1(_limit integer) RETURNS integer
LANGUAGE plpgsql VOLATILE
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET enable_material = off
SET enable_bitmapscan = off SET enable_memoize = off SET plan_cache_mode = force_generic_plan SET jit = off
AS $$
DECLARE
    _now bigint := perdure.clock_1();
    _began timestamptz := clock_timestamp();
    _run perdure.run;
    _name text;
    _value text;
    _swept integer := 0;
    _tenants text[] := '{}';
    _workflows text[] := '{}';
    _statuses text[] := '{}';
BEGIN
    FOR _run IN
        SELECT r.* FROM perdure.run_at_rest t, LATERAL (
            -- As it is now: one that was redriven since is not to go.
            SELECT * FROM perdure.run WHERE id = t.run AND tenant = t.tenant AND completed_at = t.at
            LIMIT 1 FOR UPDATE SKIP LOCKED) r
        WHERE t.retires_at < _now ORDER BY t.retires_at, t.run LIMIT _limit
    LOOP
        PERFORM perdure.leave_rest_1(_run);
        IF _run.tags IS NOT NULL THEN
            FOR _name, _value IN SELECT t.key, t.value FROM jsonb_each_text(_run.tags::jsonb) t LOOP
                DELETE FROM perdure.run_tag
                WHERE tenant = _run.tenant AND name = _name AND value = _value AND started_at = _run.started_at
                  AND run = _run.id;
            END LOOP;
        END IF;
        DELETE FROM perdure.event WHERE run = _run.id AND tenant = _run.tenant;
        DELETE FROM perdure.signal WHERE run = _run.id AND tenant = _run.tenant;
        DELETE FROM perdure.claimed_key WHERE tenant = _run.tenant AND holder = _run.id AND expires_at IS NULL;
        DELETE FROM perdure.run WHERE id = _run.id AND tenant = _run.tenant;
        _tenants := _tenants || _run.tenant;
        _workflows := _workflows || _run.workflow;
        _statuses := _statuses || _run.status;
        _swept := _swept + 1;
        -- Histories can be long. What is done is done, the next call goes on.
        EXIT WHEN clock_timestamp() - _began > interval '1 second';
    END LOOP;
    -- In one order, after everything else: two who sweep wait for each other and not crosswise.
    PERFORM perdure.count_run_1(g.tenant, g.workflow, g.status, 0, -g.runs)
    FROM (SELECT r.tenant, r.workflow, r.status, count(*) AS runs
          FROM unnest(_tenants, _workflows, _statuses) r (tenant, workflow, status)
          GROUP BY 1, 2, 3 ORDER BY 1, 2, 3) g;
    RETURN _swept;
END $$;

CREATE FUNCTION perdure.sweep_keys_1(_limit integer) RETURNS integer
LANGUAGE plpgsql VOLATILE
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET enable_material = off
SET enable_bitmapscan = off SET enable_memoize = off SET plan_cache_mode = force_generic_plan SET jit = off
AS $$
DECLARE
    _now bigint := perdure.clock_1();
    _swept integer;
BEGIN
    WITH old AS (
        SELECT tenant, scope, within, value FROM perdure.claimed_key
        WHERE expires_at <= _now ORDER BY expires_at LIMIT _limit FOR UPDATE SKIP LOCKED
    )
    DELETE FROM perdure.claimed_key k USING old o
    WHERE k.tenant = o.tenant AND k.scope = o.scope AND k.within = o.within AND k.value = o.value;
    GET DIAGNOSTICS _swept = ROW_COUNT;
    RETURN _swept;
END $$;

-- Lanes that fell silent go with all they hold, and what they counted goes over to lane 0. Of the others go old batches, save
-- the newest.
CREATE FUNCTION perdure.sweep_lanes_1(_limit integer, _lanes_kept bigint, _batches_kept bigint) RETURNS integer
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
BEGIN
    -- The lanes of all processes together are few, and a column that every flush changes is not worth an index.
    FOR _lane IN
        SELECT l.* FROM perdure.lane l WHERE l.last_used < _now - _lanes_kept
        ORDER BY l.last_used LIMIT _limit FOR UPDATE SKIP LOCKED
    LOOP
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
          AND o.number < (SELECT l.newest FROM perdure.lane l WHERE l.process = o.process AND l.number = o.lane)
        ORDER BY o.at LIMIT _limit - _swept FOR UPDATE SKIP LOCKED
    )
    DELETE FROM perdure.lane_batch b USING old
    WHERE b.process = old.process AND b.lane = old.lane AND b.number = old.number;
    GET DIAGNOSTICS _more = ROW_COUNT;
    RETURN _swept + _more;
END $$;

CREATE FUNCTION perdure.sweep_workers_1(_limit integer) RETURNS integer
LANGUAGE plpgsql VOLATILE
SET enable_hashjoin = off SET enable_mergejoin = off SET enable_material = off
SET enable_bitmapscan = off SET enable_memoize = off SET plan_cache_mode = force_generic_plan SET jit = off
AS $$
DECLARE
    _now bigint := perdure.clock_1();
    _swept integer;
BEGIN
    WITH gone AS (
        SELECT tenant, process FROM perdure.worker
        WHERE until <= _now ORDER BY until, process, tenant LIMIT _limit FOR UPDATE SKIP LOCKED
    )
    DELETE FROM perdure.worker w USING gone g WHERE w.tenant = g.tenant AND w.process = g.process;
    GET DIAGNOSTICS _swept = ROW_COUNT;
    RETURN _swept;
END $$;
