/** The embedded default store: everything in one SQLite file. */
module io.perdure.store.sqlite {
    requires io.perdure.core;
    requires java.sql;
    requires org.xerial.sqlitejdbc;
    requires static org.jspecify;

    provides io.perdure.core.store.StoreProvider with
            io.perdure.store.sqlite.SqliteProvider;
}
