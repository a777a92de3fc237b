/** The shared store: any number of processes over one Postgres. */
// The driver has a name for the module path, but no descriptor.
@SuppressWarnings("requires-automatic")
module io.perdure.store.postgres {
    requires com.zaxxer.hikari;
    requires io.perdure.core;
    requires java.sql;
    requires org.postgresql.jdbc;
    requires static org.checkerframework.checker.qual;
    requires static org.jspecify;

    provides io.perdure.core.store.StoreProvider with
            io.perdure.store.postgres.PostgresProvider;
}
