package io.perdure.testkit.crash;

import io.perdure.sdk.retry.Retry;
import io.perdure.sdk.workflow.Workflow;
import io.perdure.sdk.workflow.WorkflowContext;
import io.perdure.testkit.crash.Course.Mark;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A made-up workflow written as code: steps, sleeps, waits and loops.
 *
 * @param thrown what its code throws in the end; empty where it returns
 */
record CodeProgram(String name, List<Call> calls, String thrown) implements Program {
    private static final Retry RETRY = new Retry(ATTEMPTS, BACKOFF).notOn(Hopeless.class);

    /** What its code does next. */
    sealed interface Call {
        record Step(String name, Trouble trouble) implements Call {}

        record Nap(String name, int millis) implements Call {}

        /** Waits for an event of the same name. */
        record Await(String name) implements Call {}

        /** Does the same for a number of turns, each with its number in the names. */
        record Loop(int turns, List<Call> body) implements Call {}
    }

    /** What calls are made of. */
    private interface Machine {
        int step(String name, Trouble trouble, int digest) throws IOException;

        void nap(String name, int millis);

        int await(String name);
    }

    @Override
    public Workflow<Integer, Integer> in(Effects process) {
        return Workflow.named(name)
                .run(Integer.class, Integer.class, (ctx, input) -> run(new Durable(name, ctx, process), input));
    }

    private int run(Machine machine, int input) throws IOException {
        int digest = run(machine, calls, "", input);
        if (!thrown.isEmpty()) {
            throw new IllegalStateException(thrown);
        }
        return digest;
    }

    private static int run(Machine machine, List<Call> calls, String turn, int before) throws IOException {
        int digest = before;
        for (Call call : calls) {
            switch (call) {
                case Call.Step(String name, Trouble trouble) -> digest = machine.step(name + turn, trouble, digest);
                case Call.Nap(String name, int millis) -> machine.nap(name + turn, millis);
                case Call.Await(String name) -> digest = Program.mixed(digest, machine.await(name + turn));
                case Call.Loop(int turns, List<Call> body) -> {
                    for (int number = 1; number <= turns; number++) {
                        digest = run(machine, body, turn + "-" + number, digest);
                    }
                }
            }
        }
        return digest;
    }

    private static int body(String name, int digest) {
        return Program.mixed(digest, name.hashCode());
    }

    /** The program over an engine. */
    private record Durable(String program, WorkflowContext ctx, Effects process) implements Machine {
        @Override
        public int step(String name, Trouble trouble, int digest) {
            return ctx.step(
                    name,
                    Integer.class,
                    () -> {
                        int attempt = ctx.attempt().number();
                        process.see(program, name, attempt);
                        trouble.strike(name, attempt);
                        return body(name, digest);
                    },
                    RETRY);
        }

        @Override
        public void nap(String name, int millis) {
            ctx.sleep(name, Duration.ofMillis(millis));
        }

        @Override
        public int await(String name) {
            return ctx.waitForEvent(name, Integer.class);
        }
    }

    @Override
    public Course course() {
        Straight straight = new Straight();
        try {
            straight.marks.add(Mark.completed(Integer.toString(run(straight, 1))));
        } catch (IOException | IllegalStateException e) {
            straight.marks.add(Mark.failed(String.valueOf(e.getMessage())));
        }
        return new Course(straight.marks, Map.of(), straight.signals);
    }

    /** The program without an engine. */
    private static final class Straight implements Machine {
        private final List<Mark> marks = new ArrayList<>();
        private final Map<String, String> signals = new TreeMap<>();

        @Override
        public int step(String name, Trouble trouble, int digest) throws IOException {
            for (int attempt = 1; ; attempt++) {
                try {
                    trouble.strike(name, attempt);
                    int output = body(name, digest);
                    marks.add(Mark.done(name, attempt, Integer.toString(output), "{}", "null"));
                    return output;
                } catch (IOException e) {
                    boolean last = attempt == ATTEMPTS || e instanceof Hopeless;
                    marks.add(Mark.failed(name, attempt, String.valueOf(e.getMessage()), !last));
                    if (last) {
                        throw e;
                    }
                }
            }
        }

        @Override
        public void nap(String name, int millis) {
            marks.add(Mark.slept(name));
        }

        @Override
        public int await(String name) {
            String payload = Integer.toString(name.hashCode());
            signals.put(name, payload);
            marks.add(Mark.received(name, payload));
            return name.hashCode();
        }
    }
}
