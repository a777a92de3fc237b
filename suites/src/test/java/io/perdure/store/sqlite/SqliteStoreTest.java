package io.perdure.store.sqlite;

import io.perdure.core.store.Store;
import io.perdure.sdk.Limits;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.id.TenantId;
import io.perdure.testkit.StoreFactory;
import io.perdure.testkit.VirtualClock;
import io.perdure.testkit.contract.StoreContract;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.io.TempDir;

/** The SQLite store passes the whole contract, each test on a file of its own. */
final class SqliteStoreTest extends StoreContract {
    @TempDir
    static Path folder;

    SqliteStoreTest() {
        super(new Files());
    }

    private static final class Files implements StoreFactory {
        private static final AtomicInteger COUNT = new AtomicInteger();

        private final Map<Store, DatabaseFile> opened = new ConcurrentHashMap<>();

        @Override
        public Store open(VirtualClock clock, Limits limits) {
            DatabaseFile file = DatabaseFile.at(folder.resolve("contract-" + COUNT.incrementAndGet() + ".db"));
            Store store = SqliteStore.open(file, clock, limits);
            opened.put(store, file);
            return store;
        }

        /** As another process would. */
        @Override
        public void loseMessage(Store store, TenantId tenant, RunId run) {
            try (Session session = Objects.requireNonNull(opened.get(store)).openWriter()) {
                session.execute("BEGIN IMMEDIATE");
                session.update("DELETE FROM run_message WHERE tenant = ? AND run = ?", tenant.value(), run.value());
                session.execute("COMMIT");
            }
        }
    }
}
