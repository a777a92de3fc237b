package io.perdure.store.postgres;

import io.perdure.core.store.Histories;
import io.perdure.core.store.RunCommit.Advance;
import io.perdure.core.store.rows.Projection;
import io.perdure.core.store.rows.Times;
import io.perdure.sdk.history.Draft;
import io.perdure.sdk.history.Due;
import io.perdure.sdk.history.EventJson;
import io.perdure.sdk.history.Failure;
import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.worker.Release;
import io.perdure.store.postgres.Column.Absent;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * What holders of leases commit, as the arrays of the flush: events, and the end of the run or its release until a time. Steps
 * that send, or wait for signals, are not among them, and of those that take signals only one that comes alone and takes one.
 */
final class PlainSteps {
    private static final long FAR_FUTURE = Times.micros(Due.FAR_FUTURE);

    /** As Postgres sorts ids, which is how everybody locks them. */
    static final Comparator<UUID> AS_LOCKED = (one, other) -> {
        int most = Long.compareUnsigned(one.getMostSignificantBits(), other.getMostSignificantBits());
        return most != 0 ? most : Long.compareUnsigned(one.getLeastSignificantBits(), other.getLeastSignificantBits());
    };

    private final List<Step> steps = new ArrayList<>();

    /** One of them, and its place in the batch. */
    private record Step(int commit, Advance advance) {
        @Nullable
        Draft first() {
            return advance.events().isEmpty() ? null : advance.events().getFirst();
        }

        /** What the function is told of it: whether it keeps its lease, lets go, or ends. */
        int kind() {
            if (ends()) {
                return 2;
            }
            return advance.release() == null ? 0 : 1;
        }

        /** What becomes of the run and its lease; nothing at all where both stay as they are. */
        Held held(int place) {
            return new Held(place, ends() ? projected(advance.events()) : null, advance.release());
        }

        private boolean ends() {
            return Histories.ends(advance.events());
        }
    }

    /** An event that is not the first of its step. */
    private record Later(int step, long seq, Draft draft) {}

    /** What a step does to its run, beyond its history: ends it, or lets go of it. */
    private record Held(
            int step, @Nullable Projection after, @Nullable Release release) {
        @Nullable
        String status() {
            return after == null ? null : after.status().word();
        }

        @Nullable
        String output() {
            Json output = after == null ? null : after.output();
            return output == null ? null : output.text();
        }

        @Nullable
        String error() {
            Failure error = after == null ? null : after.error();
            return error == null ? null : error.json().text();
        }

        @Nullable
        Long ready() {
            return release == null ? null : due(release.ready());
        }
    }

    /**
     * Whether it can be done with others.
     *
     * @param mostEvents of a history, before it counts as full
     */
    static boolean isPlain(Advance advance, long mostEvents) {
        return goesOnPlainly(advance, mostEvents)
                && TakenSignal.of(advance.events()).isEmpty();
    }

    /** Whether it can be done by its own function, which takes a signal too. */
    static boolean isPlainAlone(Advance advance, long mostEvents) {
        return goesOnPlainly(advance, mostEvents)
                && TakenSignal.of(advance.events()).size() <= 1;
    }

    private static boolean goesOnPlainly(Advance advance, long mostEvents) {
        Release release = advance.release();
        return advance.sends().isEmpty()
                && (release == null || release.wakeOn().isEmpty())
                && (Histories.ends(advance.events())
                        || advance.seq() - 1 + advance.events().size() <= mostEvents);
    }

    /** When something is due, as one number: a time, or, below nought, a delay. */
    static long due(Due due) {
        return switch (due) {
            case Due.In(Duration delay) -> -Documents.micros(delay) - 1;
            case Due.At at -> Times.micros(at.fixedAt(Instant.EPOCH));
            case Due.Never() -> FAR_FUTURE;
        };
    }

    void add(int commit, Advance advance) {
        steps.add(new Step(commit, advance));
    }

    List<UUID> runs() {
        return steps.stream().map(step -> step.advance().run().value()).toList();
    }

    boolean isEmpty() {
        return steps.isEmpty();
    }

    List<Object> arrays(ToIntFunction<TenantId> tenants) {
        steps.sort((one, other) -> AS_LOCKED.compare(
                one.advance().run().value(), other.advance().run().value()));
        List<Later> later = new ArrayList<>();
        List<Held> held = new ArrayList<>();
        for (int at = 0; at < steps.size(); at++) {
            Advance advance = steps.get(at).advance();
            for (int event = 1; event < advance.events().size(); event++) {
                later.add(new Later(
                        at + 1, advance.seq() + event, advance.events().get(event)));
            }
            if (steps.get(at).kind() > 0) {
                held.add(steps.get(at).held(at + 1));
            }
        }
        List<Object> arrays = new ArrayList<>();
        arrays.add(Column.ints(steps, Step::commit));
        arrays.add(Column.ints(steps, step -> tenants.applyAsInt(step.advance().tenant())));
        arrays.add(Column.ids(steps, step -> step.advance().run().value()));
        arrays.add(Column.ids(steps, step -> step.advance().token()));
        arrays.add(Column.longs(steps, step -> step.advance().seq()));
        arrays.add(Column.longsOrNull(steps, step -> until(step.first())));
        arrays.add(Column.texts(steps, step -> text(step.first())));
        arrays.add(Column.ints(steps, Step::kind));
        arrays.add(Column.ints(later, Later::step));
        arrays.add(Column.longs(later, Later::seq));
        arrays.add(Column.longsOrNull(later, event -> until(event.draft())));
        arrays.add(Column.texts(later, event -> text(event.draft())));
        arrays.add(Column.ints(held, Held::step));
        arrays.add(Column.texts(held, Held::status));
        arrays.add(Column.texts(held, Held::output));
        arrays.add(Column.texts(held, Held::error));
        arrays.add(Column.longsOrNull(held, Held::ready));
        return arrays;
    }

    /** One alone, as the values of its own function. */
    static List<Object> alone(Advance advance, long[] limits) {
        Step step = new Step(1, advance);
        Held held = step.held(1);
        List<TakenSignal> taken = TakenSignal.of(advance.events());
        TakenSignal signal = taken.isEmpty() ? null : taken.getFirst();
        return List.of(
                limits,
                advance.tenant().value(),
                advance.run().value(),
                advance.token(),
                advance.seq(),
                Column.longsOrNull(advance.events(), PlainSteps::until),
                Column.texts(advance.events(), PlainSteps::text),
                step.kind(),
                Absent.TEXT.unless(held.status()),
                Absent.TEXT.unless(held.output()),
                Absent.TEXT.unless(held.error()),
                Absent.LONG.unless(held.ready()),
                Absent.LONG.unless(signal == null ? null : signal.number()),
                Absent.TEXT.unless(signal == null ? null : signal.event().value()));
    }

    private static Projection projected(List<Draft> events) {
        Projection after = new Projection(RunStatus.RUNNING, null);
        events.forEach(draft -> after.apply(draft.event()));
        return after;
    }

    private static @Nullable Long until(@Nullable Draft draft) {
        Due until = draft == null ? null : draft.until();
        return until == null || until instanceof Due.Never ? null : Long.valueOf(due(until));
    }

    private static @Nullable String text(@Nullable Draft draft) {
        return draft == null ? null : EventJson.write(draft.event()).text();
    }
}
