package io.perdure.store.postgres;

import io.perdure.postgres.PostgresBinaries;
import io.perdure.postgres.PrivatePostgres;
import io.perdure.testkit.Exhaustive;
import io.perdure.testkit.property.ModelRun;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The bundled server is the newest there is; others may be older. */
@Exhaustive
@Timeout(180)
final class ServerVersionsTest {
    private static final int OLDEST = 15;
    private static final int OPERATIONS = 4_000;
    private static final long SEED = 1;

    static List<PostgresBinaries> installed() {
        return PostgresBinaries.installed().stream()
                .filter(binaries -> binaries.majorVersion() >= OLDEST)
                .toList();
    }

    @ParameterizedTest(allowZeroInvocations = true)
    @MethodSource("installed")
    void everyServerInstalledHereAnswersLikeTheModel(PostgresBinaries binaries) {
        try (PrivatePostgres server = PrivatePostgres.start(binaries, PrivatePostgres.WITHOUT_DURABILITY)) {
            ModelRun.checkFirst(OPERATIONS, new VirtualTime(server.url(), 1), SEED);
        }
    }
}
