-- works with releases that know migration 1
--
-- Requests to servers that bear an id of their sender's, and what each was answered: nothing yet while it is under way. noter is a
-- token of whoever does it. The body is kept as the bytes that were sent.
CREATE TABLE perdure.request (
    tenant     text COLLATE "C" NOT NULL,
    id         uuid    NOT NULL,
    noter      uuid    NOT NULL,
    digest     text    NOT NULL,
    noted_at   bigint  NOT NULL,
    status     integer,
    media_type text,
    body       bytea,
    PRIMARY KEY (id, tenant)
) WITH (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 20000, autovacuum_vacuum_cost_delay = 0);

CREATE INDEX request_by_age ON perdure.request (noted_at);

-- Notes a request unless it was noted before; answers what is kept.
CREATE FUNCTION perdure.note_request_1(_tenant text, _id uuid, _noter uuid, _digest text)
RETURNS perdure.request
LANGUAGE plpgsql VOLATILE
SET enable_seqscan = off SET enable_bitmapscan = off SET plan_cache_mode = force_generic_plan SET jit = off
AS $$
DECLARE
    _kept perdure.request;
BEGIN
    LOOP
        INSERT INTO perdure.request (tenant, id, noter, digest, noted_at)
        VALUES (_tenant, _id, _noter, _digest, perdure.clock_1())
        ON CONFLICT (id, tenant) DO NOTHING
        RETURNING * INTO _kept;
        EXIT WHEN FOUND;
        SELECT * INTO _kept FROM perdure.request WHERE id = _id AND tenant = _tenant;
        -- Not found: it was forgotten in between.
        EXIT WHEN FOUND;
    END LOOP;
    RETURN _kept;
END $$;

-- A request; a row of nothing where it was not noted.
CREATE FUNCTION perdure.request_1(_tenant text, _id uuid)
RETURNS perdure.request
LANGUAGE plpgsql STABLE
SET enable_seqscan = off SET enable_bitmapscan = off SET plan_cache_mode = force_generic_plan SET jit = off
AS $$
DECLARE
    _kept perdure.request;
BEGIN
    SELECT * INTO _kept FROM perdure.request WHERE id = _id AND tenant = _tenant;
    RETURN _kept;
END $$;

-- Keeps the answer of a request that is under way with this noter.
CREATE FUNCTION perdure.answer_request_1(
    _tenant text, _id uuid, _noter uuid, _status integer, _media_type text, _body bytea)
RETURNS void
LANGUAGE plpgsql VOLATILE
SET enable_seqscan = off SET enable_bitmapscan = off SET plan_cache_mode = force_generic_plan SET jit = off
AS $$
BEGIN
    UPDATE perdure.request SET status = _status, media_type = _media_type, body = _body
    WHERE id = _id AND tenant = _tenant AND noter = _noter AND status IS NULL;
END $$;

-- Removes a request that is under way with this noter.
CREATE FUNCTION perdure.forget_request_1(_tenant text, _id uuid, _noter uuid)
RETURNS void
LANGUAGE plpgsql VOLATILE
SET enable_seqscan = off SET enable_bitmapscan = off SET plan_cache_mode = force_generic_plan SET jit = off
AS $$
BEGIN
    DELETE FROM perdure.request WHERE id = _id AND tenant = _tenant AND noter = _noter AND status IS NULL;
END $$;

CREATE FUNCTION perdure.sweep_requests_1(_limit integer, _kept bigint) RETURNS integer
LANGUAGE plpgsql VOLATILE
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET enable_material = off
SET enable_bitmapscan = off SET enable_memoize = off SET plan_cache_mode = force_generic_plan SET jit = off
AS $$
DECLARE
    _now bigint := perdure.clock_1();
    _swept integer;
BEGIN
    WITH old AS (
        SELECT tenant, id FROM perdure.request
        WHERE noted_at <= _now - _kept ORDER BY noted_at, id, tenant LIMIT _limit FOR UPDATE SKIP LOCKED
    )
    DELETE FROM perdure.request r USING old o WHERE r.id = o.id AND r.tenant = o.tenant;
    GET DIAGNOSTICS _swept = ROW_COUNT;
    RETURN _swept;
END $$;

-- Which of these messages are there.
CREATE FUNCTION perdure.present_1(_tenant text, _ids uuid[]) RETURNS SETOF uuid
LANGUAGE plpgsql STABLE
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET enable_material = off
SET enable_bitmapscan = off SET enable_memoize = off SET plan_cache_mode = force_generic_plan SET jit = off
AS $$
BEGIN
    RETURN QUERY SELECT a.id FROM unnest(_ids) a (id)
    WHERE EXISTS (SELECT 1 FROM perdure.message m WHERE m.id = a.id AND m.tenant = _tenant LIMIT 1);
END $$;
