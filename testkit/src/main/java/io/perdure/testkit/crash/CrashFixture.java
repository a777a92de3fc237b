package io.perdure.testkit.crash;

import io.perdure.core.store.Store;
import io.perdure.core.store.Stores;
import io.perdure.sdk.Limits;
import io.perdure.sdk.environment.SystemEnvironment;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.io.TempDir;

/** Where the suites get their stores from. */
public abstract class CrashFixture {
    /** Longer than anything takes that is waited for. */
    protected static final Duration LONG = Duration.ofSeconds(60);

    @TempDir
    protected Path folder;

    /** Of a database that is this test's own, the same for the whole test. */
    protected abstract String url();

    /** Lets the leases of dead processes run out at once, where the store does not do so by itself. */
    protected abstract void endLeases();

    /** A store that works beside another: another process's, or the same one where one process owns all work. */
    protected abstract Store beside(Store store);

    /** The database, as a process opens it. */
    protected final Store open() {
        return Stores.open(url(), new SystemEnvironment(), Limits.defaults());
    }

    /** The same, for a process that dies where it is told to. */
    final MortalStore open(MortalStore.Death death, Runnable dying) {
        return new MortalStore(open(), death, dying);
    }
}
