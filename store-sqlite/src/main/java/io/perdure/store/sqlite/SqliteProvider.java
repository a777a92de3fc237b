package io.perdure.store.sqlite;

import io.perdure.core.store.Finding;
import io.perdure.core.store.Store;
import io.perdure.core.store.StoreMigration;
import io.perdure.core.store.StoreProvider;
import io.perdure.sdk.Limits;
import io.perdure.sdk.environment.Environment;
import java.util.List;

/** Opens the store in the file that a URL names, as {@code docs/reference/sqlite.md} tells. */
public final class SqliteProvider implements StoreProvider {
    /** For {@link java.util.ServiceLoader}. */
    public SqliteProvider() {}

    @Override
    public String form() {
        return SqliteUrl.PREFIX + "<file>";
    }

    @Override
    public boolean opens(String url) {
        return url.startsWith(SqliteUrl.PREFIX);
    }

    @Override
    public Store open(String url, Environment environment, Limits limits) {
        return SqliteStore.open(DatabaseFile.at(SqliteUrl.path(url)), environment.clock(), limits);
    }

    @Override
    public StoreMigration migration(String url) {
        return new FileMigration(DatabaseFile.at(SqliteUrl.path(url)));
    }

    @Override
    public List<Finding> examine(String url, Environment environment) {
        return new Examination(SqliteUrl.path(url), environment).findings();
    }
}
