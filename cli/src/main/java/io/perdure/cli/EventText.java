package io.perdure.cli;

import io.perdure.sdk.history.Due;
import io.perdure.sdk.history.Event;
import io.perdure.sdk.history.EventJson;
import io.perdure.sdk.history.Failure;
import io.perdure.sdk.history.Recorded;
import io.perdure.sdk.json.Json;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.util.RawValue;

/** Events of runs as they are shown: one line for people, the stored form for programs. */
final class EventText {
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern(
                    "uuuu-MM-dd'T'HH:mm:ss.SSS'Z'", Locale.ROOT)
            .withZone(ZoneOffset.UTC);

    private static final String INDENT = "    ";

    private EventText() {}

    /** To the millisecond, always as wide. */
    static String time(Instant time) {
        return TIME.format(time);
    }

    static Map<String, Object> json(Recorded recorded) {
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("seq", recorded.seq());
        shown.put("at", recorded.at().toString());
        Instant until = fixed(recorded.until());
        if (until != null) {
            shown.put("until", until.toString());
        }
        shown.put("event", new RawValue(EventJson.write(recorded.event()).text()));
        return shown;
    }

    /** What happened, in one line. Texts of users are in it as they are: whoever prints it makes it harmless. */
    static String line(Recorded recorded) {
        return line(recorded, EventText::time);
    }

    /** The same with times written in a way of the caller's. */
    static String line(Recorded recorded, Function<Instant, String> time) {
        Instant until = fixed(recorded.until());
        return RunText.oneLine(
                switch (recorded.event()) {
                    case Event.RunCreated e ->
                        "run of %s started with %s%s%s"
                                .formatted(
                                        e.workflow(),
                                        e.input().text(),
                                        wrote(e.writes()),
                                        until(", to end by", until, time));
                    case Event.StepStarted e ->
                        "%s started, attempt %s%s%s"
                                .formatted(
                                        e.step(),
                                        e.attempt(),
                                        until(", to be over by", until, time),
                                        e.retryIn() == null
                                                ? ""
                                                : "; else tried again after " + Units.duration(e.retryIn()));
                    case Event.StepCompleted e -> completed(e);
                    case Event.StepFailed e ->
                        "%s failed at attempt %s: %s%s"
                                .formatted(
                                        e.step(),
                                        e.attempt(),
                                        failure(e.reason()),
                                        until == null ? "; not tried again" : "; next attempt at " + time.apply(until));
                    case Event.SleepStarted e -> "%s sleeps%s".formatted(e.name(), until(" until", until, time));
                    case Event.WaitStarted e ->
                        "%s waits for event %s%s%s"
                                .formatted(
                                        e.name(),
                                        e.event(),
                                        e.match() == null
                                                ? ""
                                                : " with " + e.match().text(),
                                        until(", at most until", until, time));
                    case Event.EventReceived e ->
                        "%s received event %s: %s"
                                .formatted(e.name(), e.event(), e.payload().text());
                    case Event.WaitTimedOut e -> "%s timed out: no event came".formatted(e.name());
                    case Event.ChildStarted e -> "%s started run %s of %s".formatted(e.name(), e.child(), e.workflow());
                    case Event.ChildEnded e ->
                        "%s: run %s is %s"
                                .formatted(e.name(), e.child(), e.status().word());
                    case Event.RunParked e -> "run parked" + because(named(e.reason(), e.detail()));
                    case Event.RunResumed e ->
                        "run resumed by %s%s%s"
                                .formatted(
                                        e.by(),
                                        e.version() == null ? "" : " with version " + e.version(),
                                        because(e.reason()));
                    case Event.RunRedriven e -> "run redriven by %s%s".formatted(e.by(), because(e.reason()));
                    case Event.RunCompleted e -> "run completed: " + e.result().text();
                    case Event.RunFailed e -> "run failed: " + failure(e.reason());
                    case Event.RunCancelled e -> "run cancelled by %s%s".formatted(e.by(), because(e.reason()));
                });
    }

    private static String completed(Event.StepCompleted e) {
        return "%s done%s%s%s%s"
                .formatted(
                        e.step(),
                        e.attempt() == 1 ? "" : " at attempt " + e.attempt(),
                        e.output() == null ? "" : ": " + e.output().text(),
                        wrote(e.writes()),
                        e.next() == null ? "" : "; next is " + e.next());
    }

    /** The keys only: values may be large. */
    private static String wrote(Map<String, Json> writes) {
        return writes.isEmpty() ? "" : "; wrote " + String.join(", ", writes.keySet());
    }

    static String failure(Failure failure) {
        return named(failure.type(), failure.message());
    }

    /** Returns the lines of a failure's stack trace, set in and harmless to a terminal; none if it has no stack trace. */
    static List<String> stackTrace(Failure failure) {
        String trace = failure.stackTrace();
        return trace == null
                ? List.of()
                : trace.lines()
                        .map(line -> Failures.harmless(INDENT + line.replace("\t", INDENT)))
                        .toList();
    }

    /** A text after its name; one that begins with it, as those of coded errors do, is not named twice. */
    private static String named(String name, String text) {
        if (text.isEmpty()) {
            return name;
        }
        return text.startsWith(name) ? text : name + ": " + text;
    }

    private static String because(String reason) {
        return reason.isBlank() ? "" : ": " + reason;
    }

    private static String until(String words, @Nullable Instant until, Function<Instant, String> time) {
        return until == null ? "" : words + " " + time.apply(until);
    }

    private static @Nullable Instant fixed(@Nullable Instant until) {
        return until == null || !until.isBefore(Due.FAR_FUTURE) ? null : until;
    }
}
