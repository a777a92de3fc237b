package io.perdure.testkit.crash;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.sdk.history.Event;
import io.perdure.sdk.history.Recorded;
import io.perdure.sdk.id.StepName;
import io.perdure.sdk.retry.Retry;
import io.perdure.sdk.workflow.Workflow;
import io.perdure.sdk.workflow.WorkflowContext;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;

/**
 * The workflow that is killed at every point: two steps, a sleep for which it lets go of its worker, a step that fails once and is
 * tried again later, and a last step.
 */
final class Journey {
    static final String NAME = "journey";
    static final String RESULT = "packed, booked, boarded at attempt 2, arrived";

    /** What it does outside when nothing goes wrong, in order. */
    static final List<String> LINES = List.of("pack", "book", "board-1", "board-2", "arrive");

    /** Longer than a run waits in its worker. */
    private static final Duration LONG_ENOUGH_TO_LET_GO = Duration.ofMillis(260);

    private Journey() {}

    static Workflow<String, String> seenBy(StepWitness witness) {
        return Workflow.named(NAME).run(String.class, String.class, (ctx, _) -> travel(ctx, witness));
    }

    private static String travel(WorkflowContext ctx, StepWitness witness) {
        String packed = ctx.step("pack", String.class, () -> done(witness, "pack", "packed"));
        String booked = ctx.step("book", String.class, () -> done(witness, "book", "booked"));
        ctx.sleep("night", LONG_ENOUGH_TO_LET_GO);
        int attempt =
                ctx.step("board", Integer.class, () -> board(ctx, witness), Retry.fixed(3, LONG_ENOUGH_TO_LET_GO));
        String arrived = ctx.step("arrive", String.class, () -> done(witness, "arrive", "arrived"));
        return "%s, %s, boarded at attempt %s, %s".formatted(packed, booked, attempt, arrived);
    }

    private static String done(StepWitness witness, String line, String result) throws IOException {
        witness.say(line);
        return result;
    }

    private static int board(WorkflowContext ctx, StepWitness witness) throws IOException {
        int attempt = ctx.attempt().number();
        witness.say("board-" + attempt);
        if (attempt == 1) {
            throw new IOException("The train is full.");
        }
        return attempt;
    }

    /** The lines of what is recorded: an attempt that returned, or one that is known to have failed. */
    static List<String> recorded(List<Recorded> history) {
        List<String> lines = new ArrayList<>();
        for (Recorded recorded : history) {
            if (recorded.event() instanceof Event.StepCompleted step) {
                lines.add(line(step.step(), step.attempt()));
            } else if (recorded.event() instanceof Event.StepFailed step) {
                lines.add(line(step.step(), step.attempt()));
            }
        }
        return lines;
    }

    private static String line(StepName step, int attempt) {
        return step.value().equals("board") ? "board-" + attempt : step.value();
    }

    /**
     * Holds what a run left behind against what it may leave: everything recorded once, every effect there, none again once a
     * later one was there, and at most the one that was under way when its process died done twice.
     */
    static void judge(List<Recorded> history, List<String> lines) {
        assertThat(history)
                .extracting(Recorded::seq)
                .as("dense numbers")
                .containsExactlyElementsOf(
                        LongStream.range(0, history.size()).boxed().toList());
        assertThat(recorded(history)).as("recorded").isEqualTo(LINES);
        assertThat(history.getLast().event()).isInstanceOf(Event.RunCompleted.class);
        assertThat(lines).as("effects").containsAll(LINES).hasSizeLessThanOrEqualTo(LINES.size() + 1);
        assertThat(lines.stream().map(LINES::indexOf).toList())
                .as("no effect after a later one: %s", lines)
                .isSorted();
    }
}
