package io.perdure.testkit.property;

import io.perdure.core.store.Extended;
import io.perdure.core.store.Outcome;
import io.perdure.core.store.Refusal;
import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.queue.Fate;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/** Notes which kinds of answers a run has seen, so that a generator which went stale is found out. */
final class Tally {
    private final Set<String> seen = new TreeSet<>();

    void note(Object answer) {
        switch (answer) {
            case List<?> list -> list.forEach(this::note);
            case Outcome.Refused refused -> {
                noteKind(refused);
                seen.add(refused.why().name());
            }
            case Outcome.Settled settled -> {
                noteKind(settled);
                seen.add(settled.fate().name());
            }
            case Outcome.Signalled signalled -> {
                noteKind(signalled);
                seen.add(signalled.created() ? "Signalled" : "signalled before");
            }
            case Outcome.Sent sent -> {
                noteKind(sent);
                sent.messages().forEach(message -> seen.add(message.created() ? "Sent" : "sent before"));
            }
            case Outcome outcome -> noteKind(outcome);
            case Extended extended -> noteKind(extended);
            case ErrorCode code -> seen.add(code.name());
            default -> {}
        }
    }

    private void noteKind(Object answer) {
        seen.add(answer.getClass().getSimpleName());
    }

    /** The kinds of answers that a whole run should have seen and has not. */
    Set<String> missing() {
        Set<String> missing = new TreeSet<>(expected());
        missing.removeAll(seen);
        return missing;
    }

    private static Set<String> expected() {
        Set<String> kinds = new TreeSet<>(List.of("signalled before", "sent before", ErrorCode.LANE_REWOUND.name()));
        Stream.concat(records(Outcome.class), records(Extended.class)).forEach(kinds::add);
        Stream.of(Fate.values()).forEach(fate -> kinds.add(fate.name()));
        // No value that the types let through is bad to the memory store.
        Stream.of(Refusal.values()).filter(why -> why != Refusal.BAD_VALUE).forEach(why -> kinds.add(why.name()));
        return kinds;
    }

    private static Stream<String> records(Class<?> sealed) {
        return Stream.of(sealed.getPermittedSubclasses())
                .flatMap(kind -> kind.isSealed() ? records(kind) : Stream.of(kind.getSimpleName()));
    }
}
