package io.perdure.core.workflow;

import io.perdure.core.store.RunRow;
import io.perdure.sdk.history.Recorded;
import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.id.RunId;
import java.lang.reflect.Type;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.type.TypeReference;

/**
 * A run of a workflow, in whatever process it goes on. Safe for many threads.
 *
 * @param <T> what it results in
 */
public final class Run<T> {
    private final Workflows workflows;
    private final RunId id;
    private final Type type;
    private final boolean created;
    private final @Nullable Ending ending;

    Run(Workflows workflows, RunId id, Type type, boolean created, @Nullable Ending ending) {
        this.workflows = workflows;
        this.id = id;
        this.type = type;
        this.created = created;
        this.ending = ending;
    }

    public RunId id() {
        return id;
    }

    /** The same run, with its result read as this. */
    public <U> Run<U> as(Class<U> result) {
        return new Run<>(workflows, id, result, created, ending);
    }

    /** The same for a type with parameters. */
    public <U> Run<U> as(TypeReference<U> result) {
        return new Run<>(workflows, id, result.getType(), created, ending);
    }

    /** Whether the start that answered this began it; false where a key led to a run that was there before. */
    public boolean created() {
        return created;
    }

    /**
     * Waits for the run's result, in this process or any other; woken when it is there. Throws {@code PD-310} where the run
     * failed, {@code PD-311} where it was cancelled, and {@code PD-010} where its result does not fit the type,
     * {@code PD-312} where it has not ended within that time or the waiter was
     * interrupted (whose flag stays set): the run goes on, and it can be asked again.
     */
    public T result(Duration atMost) {
        return workflows.result(id, type, ending, atMost);
    }

    /** Where the run stands now, read from the store; {@code PD-301} once it is swept. */
    public RunRow info() {
        return workflows.row(id);
    }

    public RunStatus status() {
        return info().status();
    }

    /** All that has happened to it. */
    public List<Recorded> history() {
        return history(0);
    }

    /** What has happened to it from the event of this number on. */
    public List<Recorded> history(long from) {
        return workflows.history(id, from);
    }

    /**
     * Follows what happens to the run, from the event of this number on, in this process or any other; the caller closes what it
     * is answered. {@code PD-301} where the run is swept.
     */
    public Following follow(long from) {
        return workflows.follow(id, from);
    }

    /** Follows it from its start. */
    public Following follow() {
        return follow(0);
    }

    /** Its steps, sleeps and waits, with their times. */
    public List<StepInfo> steps() {
        return StepInfo.of(history());
    }

    @Override
    public String toString() {
        return "run " + id;
    }
}
