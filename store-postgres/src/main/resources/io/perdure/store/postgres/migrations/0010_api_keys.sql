-- works with releases that know migration 1
--
-- API keys of all tenants, with the hashes of their secrets. They are few, and stay when they have expired or were revoked.
CREATE TABLE perdure.api_key (
    id         text COLLATE "C" PRIMARY KEY,
    tenant     text COLLATE "C" NOT NULL,
    name       text    NOT NULL,
    role       text    NOT NULL,
    hash       text    NOT NULL,
    created_at bigint  NOT NULL,
    expires_at bigint,
    revoked_at bigint
);

-- Keeps a key that counts for so long, or for ever where no length is given. An id that is taken stays with its key.
CREATE FUNCTION perdure.add_key_1(_id text, _tenant text, _name text, _role text, _hash text, _length bigint)
RETURNS void
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    _now bigint := perdure.clock_1();
BEGIN
    INSERT INTO perdure.api_key (id, tenant, name, role, hash, created_at, expires_at)
    VALUES (_id, _tenant, _name, _role, _hash, _now,
            CASE WHEN _length IS NOT NULL THEN least(253402300799999999, _now + _length) END)
    ON CONFLICT (id) DO NOTHING;
END $$;

-- Revokes a key of a tenant; answers whether that was done now.
CREATE FUNCTION perdure.revoke_key_1(_id text, _tenant text)
RETURNS boolean
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    UPDATE perdure.api_key SET revoked_at = perdure.clock_1()
    WHERE id = _id AND tenant = _tenant AND revoked_at IS NULL;
    RETURN FOUND;
END $$;
