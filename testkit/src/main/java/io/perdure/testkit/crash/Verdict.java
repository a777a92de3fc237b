package io.perdure.testkit.crash;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.sdk.history.Event;
import io.perdure.sdk.history.Recorded;
import io.perdure.testkit.crash.Course.Mark;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;

/** Holds what became of a program's run, over the lives of several processes, against what it comes to straight through. */
final class Verdict {
    private final Program program;
    private final Course course;
    private final List<Recorded> history;
    private final List<Life> lives;

    /**
     * One process that worked on the run.
     *
     * @param before the run's history when the process began
     */
    record Life(List<Recorded> before, Effects effects) {
        /** How many attempts had been recorded by then. */
        int recorded() {
            return (int) Course.marks(before).stream().filter(Mark::isAttempt).count();
        }
    }

    Verdict(Program program, List<Recorded> history, List<Life> lives) {
        this.program = program;
        this.course = program.course();
        this.history = history;
        this.lives = lives;
    }

    void pass() {
        assertThat(history)
                .extracting(Recorded::seq)
                .as("dense numbers")
                .containsExactlyElementsOf(
                        LongStream.range(0, history.size()).boxed().toList());
        assertThat(Course.marks(history)).as("what happened").isEqualTo(course.marks());
        assertThat(Course.scratchpad(history)).as("scratchpad").isEqualTo(course.scratchpad());
        nothingRecordedIsChangedOrDoneAgain();
        theEndCameWithItsCause(history);
        beginnings();
    }

    /**
     * A process begins with the first attempt that is not recorded, and goes on in order. So only what was under way, or had not been recorded,
     * when a process died is done again, by the next one.
     */
    private void nothingRecordedIsChangedOrDoneAgain() {
        List<String> expected = course.effects();
        int reached = 0;
        for (Life life : lives) {
            assertThat(life.before())
                    .as("a history only grows")
                    .isEqualTo(history.subList(0, life.before().size()));
            theEndCameWithItsCause(life.before());
            int recorded = life.recorded();
            assertThat(recorded)
                    .as("recorded of %s that were done", reached)
                    .isBetween(Math.max(0, reached - 1), reached);
            List<String> done = life.effects().of(program.name());
            reached = recorded + done.size();
            assertThat(reached).as("effects: %s", done).isLessThanOrEqualTo(expected.size());
            assertThat(done).as("effects from the %s. on", recorded).isEqualTo(expected.subList(recorded, reached));
        }
        assertThat(reached).as("all effects are there").isEqualTo(expected.size());
    }

    /** The event that ends a run is never seen without it, and has its time. */
    private void theEndCameWithItsCause(List<Recorded> seen) {
        List<Mark> marks = Course.marks(seen);
        int cause = course.marks().size() - 1;
        boolean caused = program instanceof FlowProgram || isFailedStep();
        if (!caused || marks.size() < cause) {
            return;
        }
        assertThat(marks)
                .as("the end, together with its cause")
                .hasSize(course.marks().size());
        assertThat(seen.getLast().at())
                .as("the time of the end")
                .isEqualTo(seen.get(seen.size() - 2).at());
    }

    /** Code may take its time between its last step and its return; a step that fails for good ends the run itself. */
    private boolean isFailedStep() {
        List<Mark> marks = course.marks();
        return marks.size() > 1 && marks.get(marks.size() - 2).what().startsWith("failed");
    }

    /** A flow's attempt is announced before it is made, again by whoever makes it again; a wait begins once. */
    private void beginnings() {
        List<String> waits = new ArrayList<>();
        String announced = "";
        int announcements = 0;
        for (Recorded recorded : history) {
            if (recorded.event() instanceof Event.StepStarted begun) {
                String line = Effects.line(begun.step().value(), begun.attempt());
                assertThat(announced).as("begun while another was not over").isIn("", line);
                announced = line;
                announcements++;
            } else if (recorded.event() instanceof Event.WaitStarted begun) {
                waits.add(begun.name().value());
            } else if (program instanceof FlowProgram) {
                Mark mark = Course.marks(List.of(recorded)).stream()
                        .filter(Mark::isAttempt)
                        .findFirst()
                        .orElse(null);
                assertThat(announced).as("over, as it began: %s", mark).isEqualTo(mark == null ? "" : mark.effect());
                announced = "";
            }
        }
        assertThat(waits).as("waits").doesNotHaveDuplicates();
        boolean announces = program instanceof FlowProgram;
        int least = announces ? course.effects().size() : 0;
        assertThat(announcements).as("attempts begun").isBetween(least, announces ? least + lives.size() - 1 : 0);
    }

    static boolean isCompleted(List<Recorded> history) {
        return history.getLast().event() instanceof Event.RunCompleted;
    }
}
