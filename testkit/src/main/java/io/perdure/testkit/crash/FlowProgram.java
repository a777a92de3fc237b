package io.perdure.testkit.crash;

import io.perdure.sdk.workflow.Next;
import io.perdure.sdk.workflow.StepFlow;
import io.perdure.sdk.workflow.StepFlowContext;
import io.perdure.testkit.crash.Course.Mark;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A made-up StepFlow: steps that read, write, fail, come by again and end. */
record FlowProgram(String name, List<Station> stations) implements Program {
    private static final String DIGEST = "digest";

    /**
     * A step.
     *
     * @param next the place of the one that comes next, and beyond the last for the end
     * @param back the place that it goes back to at first
     * @param turns how often it goes back
     * @param troubled in which visit it goes wrong
     */
    record Station(
            String name,
            List<String> reads,
            List<String> writes,
            int next,
            int back,
            int turns,
            int troubled,
            Trouble trouble) {}

    /** The scratchpad, as a step sees it. */
    private interface Pad {
        int find(String key);

        void put(String key, int value);
    }

    @Override
    public StepFlow in(Effects process) {
        StepFlow flow =
                StepFlow.named(name).maxAttempts(ATTEMPTS).backoff(BACKOFF).notOn(Hopeless.class);
        for (Station station : stations) {
            flow = flow.step(station.name(), ctx -> {
                int attempt = ctx.attempt().number();
                process.see(name, station.name(), attempt);
                return visit(station, attempt, over(ctx));
            });
        }
        return flow;
    }

    private static Pad over(StepFlowContext ctx) {
        return new Pad() {
            @Override
            public int find(String key) {
                return ctx.find(key, Integer.class).orElse(0);
            }

            @Override
            public void put(String key, int value) {
                ctx.put(key, value);
            }
        };
    }

    private Next visit(Station station, int attempt, Pad pad) throws IOException {
        String visits = "visits-" + station.name();
        int visit = pad.find(visits) + 1;
        pad.put(visits, visit);
        int digest = Program.mixed(pad.find(DIGEST), station.name().hashCode());
        for (String key : station.reads()) {
            digest = Program.mixed(digest, pad.find(key));
        }
        pad.put(DIGEST, digest);
        for (String key : station.writes()) {
            // Whatever is kept of a failed attempt shows.
            pad.put(key, Program.mixed(digest, key.hashCode() + attempt));
        }
        if (visit == station.troubled()) {
            station.trouble().strike(station.name(), attempt);
        }
        if (visit <= station.turns()) {
            return Next.step(stations.get(station.back()).name());
        }
        return station.next() < stations.size()
                ? Next.step(stations.get(station.next()).name())
                : Next.done(digest);
    }

    @Override
    public Course course() {
        Straight straight = new Straight();
        Station at = stations.getFirst();
        while (at != null) {
            at = straight.pass(at);
        }
        Map<String, String> entries = new TreeMap<>();
        straight.entries.forEach((key, value) -> entries.put(key, value.toString()));
        return new Course(straight.marks, entries, Map.of());
    }

    /** The program without an engine. */
    private final class Straight {
        private final List<Mark> marks = new ArrayList<>();
        private final Map<String, Integer> entries = new TreeMap<>();

        /** Answers the step that comes next, or nothing at the end. */
        @Nullable
        Station pass(Station station) {
            String failure = "";
            boolean retryable = true;
            for (int attempt = 1; retryable && attempt <= ATTEMPTS; attempt++) {
                Map<String, Integer> writes = new TreeMap<>();
                try {
                    return passed(station, attempt, visit(station, attempt, over(writes)), writes);
                } catch (IOException e) {
                    failure = String.valueOf(e.getMessage());
                    retryable = !(e instanceof Hopeless);
                    marks.add(Mark.failed(station.name(), attempt, failure, retryable));
                }
            }
            marks.add(Mark.failed(failure));
            return null;
        }

        private @Nullable Station passed(Station station, int attempt, Next next, Map<String, Integer> writes) {
            entries.putAll(writes);
            return switch (next) {
                case Next.Step(var following) -> {
                    marks.add(Mark.done(station.name(), attempt, "null", writes.toString(), following.toString()));
                    yield stations.stream()
                            .filter(other -> other.name().equals(following.value()))
                            .findFirst()
                            .orElseThrow();
                }
                case Next.Done(var result) -> {
                    marks.add(Mark.done(station.name(), attempt, String.valueOf(result), writes.toString(), "null"));
                    marks.add(Mark.completed(String.valueOf(result)));
                    yield null;
                }
            };
        }

        private Pad over(Map<String, Integer> writes) {
            return new Pad() {
                @Override
                public int find(String key) {
                    return entries.getOrDefault(key, 0);
                }

                @Override
                public void put(String key, int value) {
                    writes.put(key, value);
                }
            };
        }
    }
}
