package io.perdure.store.postgres;

import io.perdure.core.store.Finding;
import io.perdure.core.store.Store;
import io.perdure.core.store.StoreMigration;
import io.perdure.core.store.StoreProvider;
import io.perdure.sdk.Limits;
import io.perdure.sdk.environment.Environment;
import java.util.List;

/** Opens the store in the database that a URL names, as {@code docs/reference/postgres.md} tells. */
public final class PostgresProvider implements StoreProvider {
    /** For {@link java.util.ServiceLoader}. */
    public PostgresProvider() {}

    @Override
    public String form() {
        return UrlText.JDBC + "//<host>/<database>";
    }

    @Override
    public boolean opens(String url) {
        return PostgresUrl.isOne(url);
    }

    @Override
    public Store open(String url, Environment environment, Limits limits) {
        return PostgresStore.open(PostgresUrl.parse(url), environment, limits);
    }

    @Override
    public StoreMigration migration(String url) {
        return new Migrations(PostgresUrl.parse(url));
    }

    @Override
    public List<Finding> examine(String url, Environment environment) {
        return new Examination(PostgresUrl.parse(url), environment).findings();
    }
}
