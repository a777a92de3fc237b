package io.perdure.sdk.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.sdk.history.Event;
import io.perdure.sdk.worker.Transition.Effect;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The page about StepFlows shows the table that decides. {@code -Dperdure.rewrite=true} draws it anew. */
class TransitionPageTest {
    private static final Path PAGE = Path.of("../docs/concepts/stepflows.md");
    private static final String BEGIN = "<!-- table -->\n";
    private static final String END = "<!-- /table -->\n";
    private static final String REWRITE = "perdure.rewrite";

    @Test
    void thePageShowsTheTable() throws IOException {
        String page = Files.readString(PAGE);
        assertThat(page).containsOnlyOnce(BEGIN).containsOnlyOnce(END);
        int begin = page.indexOf(BEGIN) + BEGIN.length();
        int end = page.indexOf(END);
        String drawn = table() + "\n" + diagram();
        if (Boolean.getBoolean(REWRITE)) {
            Files.writeString(PAGE, page.substring(0, begin) + drawn + page.substring(end));
        }

        String kept = Files.readString(PAGE);
        assertThat(kept.substring(begin, kept.indexOf(END))).isEqualTo(drawn);
    }

    private static String table() {
        return Stream.of(Transition.values())
                .map(row -> "| %s | %s | %s | %s |\n"
                        .formatted(words(row), event(row), row.condition(), effect(row.effect())))
                .collect(Collectors.joining("", "| row | last event | | what follows |\n|---|---|---|---|\n", ""));
    }

    private static String words(Transition row) {
        return row.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    private static String event(Transition row) {
        return row.event() == Event.class ? "any other" : "`" + row.event().getSimpleName() + "`";
    }

    private static String effect(Effect effect) {
        return switch (effect) {
            case START_STEP -> "an attempt begins: `StepStarted`";
            case COMPLETE_RUN -> "the run is over: `RunCompleted`";
            case FAIL_RUN -> "the run is over: `RunFailed`";
            case NONE -> "nothing";
        };
    }

    /** What the table leads to, and what comes of an attempt. */
    private static String diagram() {
        Stream<String> arrows = Stream.of(Transition.values())
                .filter(row -> row.effect() != Effect.NONE)
                .map(row -> arrow(row.event(), target(row.effect()), words(row)));
        Stream<String> attempts = Stream.of(
                arrow(Event.StepStarted.class, Event.StepCompleted.class, "the step returned"),
                arrow(Event.StepStarted.class, Event.StepFailed.class, "it threw, or took too long"));
        return Stream.concat(Stream.of("    [*] --> RunCreated : start\n"), Stream.concat(arrows, attempts))
                .collect(Collectors.joining("", "```mermaid\nstateDiagram-v2\n", "```\n"));
    }

    private static Class<? extends Event> target(Effect effect) {
        return switch (effect) {
            case START_STEP -> Event.StepStarted.class;
            case COMPLETE_RUN -> Event.RunCompleted.class;
            case FAIL_RUN -> Event.RunFailed.class;
            case NONE -> throw new IllegalArgumentException("it leads nowhere");
        };
    }

    private static String arrow(Class<? extends Event> from, Class<? extends Event> to, String why) {
        return "    %s --> %s : %s\n".formatted(from.getSimpleName(), to.getSimpleName(), why);
    }
}
