-- works with releases that know migration 1
--
-- How a queue stands, without a look at its messages: what went through it is counted by lane, and what waits for a time is in the
-- calendar, whose large slots are added up and, of the large one that is under way, the small ones that are to come. Only of the small one
-- that is under way the messages are counted, which are those of a few seconds.
CREATE FUNCTION perdure.figures_1(_tenant text, _queue text)
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
    IF _now >= (SELECT last_value FROM perdure.latest_lease) THEN
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
        oldest := (SELECT min(f.ready_at) FROM unnest(ARRAY[false, true]) b (blocked), LATERAL (
            SELECT m.ready_at FROM perdure.message m
            WHERE m.queue = _here AND m.blocked = b.blocked AND m.ready_at <= _now ORDER BY m.ready_at LIMIT 1) f);
    ELSE
        -- The clock has gone back: a lease that ends further ahead than twice its length counts as run out, which only its row
        -- can tell.
        SELECT count(*) FILTER (WHERE m.token IS NULL AND m.ready_at > _now AND m.ready_at <> m.sent_at),
               count(*) FILTER (WHERE m.token IS NOT NULL AND m.ready_at > _now AND m.ready_at <= _now + 2 * m.lease_micros),
               min(m.ready_at) FILTER (WHERE m.ready_at <= _now
                                       OR (m.token IS NOT NULL AND m.ready_at > _now + 2 * m.lease_micros))
        INTO delayed, leased, oldest FROM perdure.message m WHERE m.queue = _here;
    END IF;
    ready := came_in - went_out - dead_lettered - expired - delayed - leased;
    RETURN NEXT;
END $$;
