package io.perdure.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** CI runs what the README tells a newcomer to run, and then the long suites. */
class TestCommandTest {
    private static final Pattern FIRST_BLOCK_UNDER_TEST_HEADING = Pattern.compile(
            "^#+ [^\\n]*\\btest[^\\n]*\\n.*?^```(?:\\w*)\\n(?<command>.*?)^```",
            Pattern.DOTALL | Pattern.MULTILINE | Pattern.CASE_INSENSITIVE);

    @Test
    void ciRunsTheCommandOfTheReadmeThenTheLongSuites() {
        String command = commandOf(Checkout.file("README.md").text());

        assertThat(command).isEqualTo("mvn --batch-mode --no-transfer-progress verify");
        assertThat(commandsOf(Checkout.file(".ci/run").text())).containsExactly(command, "scripts/exhaustive");
    }

    @Test
    void plantedDifferencesAreSeen() {
        assertThat(commandOf("# A\n```\nx\n```\n## Build and test\n\nRun:\n\n```sh\nmvn verify\n```\n"))
                .isEqualTo("mvn verify");
        assertThat(commandsOf("#!/usr/bin/env bash\nset -euo pipefail\ncd x\nmvn -q verify\necho done\n"))
                .containsExactly("mvn -q verify", "echo done");
    }

    private static String commandOf(String readme) {
        var block = FIRST_BLOCK_UNDER_TEST_HEADING.matcher(readme);
        assertThat(block.find())
                .as("a heading about tests with a block of code under it")
                .isTrue();
        return block.group("command").strip();
    }

    private static List<String> commandsOf(String script) {
        return script.lines()
                .map(String::strip)
                .filter(line ->
                        !line.isEmpty() && !line.startsWith("#") && !line.startsWith("set ") && !line.startsWith("cd "))
                .toList();
    }
}
