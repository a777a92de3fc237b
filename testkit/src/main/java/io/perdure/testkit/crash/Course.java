package io.perdure.testkit.crash;

import io.perdure.sdk.history.Event;
import io.perdure.sdk.history.Recorded;
import io.perdure.sdk.json.Json;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * What a program comes to.
 *
 * @param marks what happens, in order, its end last
 * @param scratchpad what is in the scratchpad at the end
 * @param signals what it waits for, and what is sent for it
 */
record Course(List<Mark> marks, Map<String, String> scratchpad, Map<String, String> signals) {
    private static final int NO_ATTEMPT = 0;

    /**
     * One thing that happens to a run, and that its history must show once for each time.
     *
     * @param attempt of a step; 0 for all else
     */
    record Mark(String name, int attempt, String what) {
        static Mark done(String step, int attempt, String output, String writes, String next) {
            return new Mark(step, attempt, "done %s %s -> %s".formatted(output, writes, next));
        }

        static Mark failed(String step, int attempt, String message, boolean retryable) {
            return new Mark(step, attempt, (retryable ? "failed: " : "failed for good: ") + message);
        }

        static Mark slept(String name) {
            return new Mark(name, NO_ATTEMPT, "slept");
        }

        static Mark received(String name, String payload) {
            return new Mark(name, NO_ATTEMPT, "received " + payload);
        }

        static Mark completed(String result) {
            return new Mark("run", NO_ATTEMPT, "completed " + result);
        }

        static Mark failed(String message) {
            return new Mark("run", NO_ATTEMPT, "failed: " + message);
        }

        boolean isAttempt() {
            return attempt != NO_ATTEMPT;
        }

        /** What an attempt does outside. */
        String effect() {
            return Effects.line(name, attempt);
        }
    }

    Course {
        marks = List.copyOf(marks);
        scratchpad = Map.copyOf(scratchpad);
        signals = Map.copyOf(signals);
    }

    /** What is done outside where nothing is done twice. */
    List<String> effects() {
        return marks.stream().filter(Mark::isAttempt).map(Mark::effect).toList();
    }

    /** What a history shows. That something begins is no mark: it may begin more than once. */
    static List<Mark> marks(List<Recorded> history) {
        return history.stream().map(Recorded::event).flatMap(Course::mark).toList();
    }

    private static Stream<Mark> mark(Event event) {
        return switch (event) {
            case Event.StepCompleted e ->
                Stream.of(Mark.done(
                        e.step().value(),
                        e.attempt(),
                        e.output() == null ? "null" : e.output().text(),
                        texts(e.writes()).toString(),
                        String.valueOf(e.next())));
            case Event.StepFailed e ->
                Stream.of(Mark.failed(e.step().value(), e.attempt(), e.reason().message(), e.retryable()));
            case Event.SleepStarted e -> Stream.of(Mark.slept(e.name().value()));
            case Event.EventReceived e ->
                Stream.of(Mark.received(e.name().value(), e.payload().text()));
            case Event.RunCompleted e -> Stream.of(Mark.completed(e.result().text()));
            case Event.RunFailed e -> Stream.of(Mark.failed(e.reason().message()));
            case Event.RunCreated _, Event.StepStarted _, Event.WaitStarted _ -> Stream.empty();
            case Event other -> Stream.of(new Mark(other.title(), NO_ATTEMPT, "unexpected " + other));
        };
    }

    /** What a history's scratchpad holds after its last event. */
    static Map<String, String> scratchpad(List<Recorded> history) {
        Map<String, String> entries = new TreeMap<>();
        for (Recorded recorded : history) {
            if (recorded.event() instanceof Event.RunCreated created) {
                entries.putAll(texts(created.writes()));
            } else if (recorded.event() instanceof Event.StepCompleted done) {
                entries.putAll(texts(done.writes()));
            }
        }
        return entries;
    }

    private static Map<String, String> texts(Map<String, Json> writes) {
        Map<String, String> texts = new TreeMap<>();
        writes.forEach((key, value) -> texts.put(key, value.text()));
        return texts;
    }
}
