package io.perdure.sdk.run;

import io.perdure.sdk.history.Recorded;
import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.id.RunId;
import java.lang.reflect.Type;
import java.time.Duration;
import java.util.List;
import tools.jackson.core.type.TypeReference;

/**
 * A run of a workflow, in whatever process it goes on. Safe for many threads.
 *
 * @param <T> what it results in
 */
public final class Run<T> {
    private final RunSource source;
    private final RunId id;
    private final Type type;
    private final boolean created;

    /**
     * A run that is asked for there.
     *
     * @param type what its result is read as
     * @param created whether the start that answered this began it
     */
    public Run(RunSource source, RunId id, Type type, boolean created) {
        this.source = source;
        this.id = id;
        this.type = type;
        this.created = created;
    }

    public RunId id() {
        return id;
    }

    /** The same run, with its result read as this. */
    public <U> Run<U> as(Class<U> result) {
        return new Run<>(source, id, result, created);
    }

    /** The same for a type with parameters. */
    public <U> Run<U> as(TypeReference<U> result) {
        return new Run<>(source, id, result.getType(), created);
    }

    /** Whether the start that answered this began it; false where a key led to a run that was there before. */
    public boolean created() {
        return created;
    }

    /**
     * Waits for the run's result, in this process or any other, but not while the run is parked: a parked run ends only after it is
     * resumed or cancelled. None of the failures below changes the run, and this can be called again.
     *
     * @param atMost how long to wait; zero or less only looks
     * @return the result
     * @throws io.perdure.sdk.RunFailedException {@code PD-310} if the run failed, {@code PD-311} if it was cancelled
     * @throws io.perdure.sdk.RefusedException {@code PD-316} at once if the run is parked or becomes parked during the wait; the message has the reason and
     *     the command that resumes the run. {@code PD-312} if the run has not ended in time, or the thread was interrupted (its flag stays set)
     * @throws io.perdure.sdk.InvalidValueException {@code PD-010} if the result does not fit the type
     */
    public T result(Duration atMost) {
        return source.result(id, type, atMost, WhenParked.STOP);
    }

    /**
     * Waits for the run's result as {@link #result} does, and goes on waiting while the run is parked. Throws {@code PD-312} with the reason if the run is still
     * parked at the end of the wait.
     *
     * @param atMost how long to wait; zero or less only looks
     * @return the result
     */
    public T resultAcrossParking(Duration atMost) {
        return source.result(id, type, atMost, WhenParked.WAIT);
    }

    /** Where the run stands now, read each time from where the engine keeps it; {@code PD-301} once it is swept. */
    public RunInfo info() {
        return source.info(id);
    }

    public RunStatus status() {
        return info().status();
    }

    /** All that has happened to it; {@code PD-106} if that is too large for the heap. */
    public List<Recorded> history() {
        return history(0);
    }

    /** What has happened to it from the event of this number on. */
    public List<Recorded> history(long from) {
        return source.history(id, from);
    }

    /**
     * Follows what happens to the run, from the event of this number on, in this process or any other; the caller closes what it
     * is answered. {@code PD-301} where the run is swept.
     */
    public Following follow(long from) {
        return source.follow(id, from);
    }

    /** Follows it from its start. */
    public Following follow() {
        return follow(0);
    }

    /** Its steps, sleeps and waits, with their times; {@code PD-106} if what they returned is too large for the heap. */
    public List<StepInfo> steps() {
        StepReader reader = new StepReader(0, Integer.MAX_VALUE, Long.MAX_VALUE);
        HeapShare share = new HeapShare(id);
        for (HistoryPart part = source.part(id, 0); !part.events().isEmpty(); part = source.part(id, part.next())) {
            share.take(part.bytes());
            part.events().forEach(reader::add);
            if (part.isLast()) {
                break;
            }
        }
        return reader.steps();
    }

    /**
     * Some of what has happened to it, from the event of this number on: as much as comes at once, and no events if none come after that number. For
     * histories that are too large to be kept in memory.
     */
    public HistoryPart part(long from) {
        return source.part(id, from);
    }

    @Override
    public String toString() {
        return "run " + id;
    }
}
