package io.perdure.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class VersionUpgradeExampleTest {
    private static final int LONGEST_TRIAL_SECONDS = 60;

    @Test
    void runsKeepTheirVersionUnlessTheyAreMovedToOneThatFits(@TempDir Path folder) {
        List<String> told = List.of(VersionUpgradeExample.TOO_LATE);
        // Tries again with longer trials if the machine stalled until they ended.
        for (int seconds = 3;
                told.contains(VersionUpgradeExample.TOO_LATE) && seconds <= LONGEST_TRIAL_SECONDS;
                seconds *= 2) {
            told = VersionUpgradeExample.tellAll("jdbc:sqlite:" + folder.resolve(seconds + ".db"), seconds);
        }

        assertThat(told.stream().map(line -> line.replaceAll("Run [0-9a-f-]{36}", "Run R")))
                .containsExactly(
                        "3 wait for a worker",
                        "fits: true",
                        "moved",
                        "fits: false",
                        "PD-315: Run R does not match its history at event 3: recorded step \"bill\","
                                + " the code asked for step \"remind\". The code changed while the run was in flight.",
                        "served: trial [1, 2]",
                        "ann paid 10, version 1",
                        "bob paid 12, version 2",
                        "cid paid 10, version 1",
                        "dan paid 12, version 2");
    }
}
