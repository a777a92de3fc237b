package io.perdure.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class VersionUpgradeExampleTest {
    @Test
    void runsKeepTheirVersionUnlessTheyAreMovedToOneThatFits(@TempDir Path folder) {
        Stream<String> told = VersionUpgradeExample.tellAll("jdbc:sqlite:" + folder.resolve("app.db")).stream()
                .map(line -> line.replaceAll("Run [0-9a-f-]{36}", "Run R"));

        assertThat(told)
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
