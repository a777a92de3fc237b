package io.perdure.sdk.run;

import io.perdure.sdk.history.Event;
import io.perdure.sdk.history.Recorded;
import io.perdure.sdk.id.StepName;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Makes a page of steps, sleeps and waits of the events of a run, which are added in their order. Of steps that are done and outside of the page it keeps
 * no outputs, so that a history of any size can be read in parts. For one thread.
 */
public final class StepReader {
    private final Visits visits = new Visits();
    private final long from;
    private final long bytes;
    private long until;
    private long taken;
    private @Nullable StepName sleeping;

    /**
     * A page of steps.
     *
     * @param from the number of the first step, from 0
     * @param limit most steps of the page
     * @param bytes the page ends before the step with which the outputs would have more bytes, but has one step at least
     */
    public StepReader(long from, int limit, long bytes) {
        this.from = from;
        this.until = from + limit;
        this.bytes = bytes;
    }

    /** Adds the next event of the history. */
    public void add(Recorded recorded) {
        if (sleeping != null && !StepInfo.isFromOutside(recorded.event())) {
            visits.change(sleeping, StepInfo::over);
            sleeping = null;
        }
        switch (recorded.event()) {
            case Event.StepStarted e ->
                visits.put(StepInfo.started(
                        e,
                        recorded.at(),
                        visits.open(e.step()).map(StepInfo::failure).orElse(null)));
            case Event.StepCompleted e -> visits.put(StepInfo.completed(e, recorded.at()));
            case Event.StepFailed e -> visits.put(StepInfo.failed(e, recorded.until()));
            case Event.SleepStarted e -> {
                sleeping = e.name();
                visits.put(StepInfo.begun(e.name(), StepInfo.Kind.SLEEP, null, recorded));
            }
            case Event.WaitStarted e -> visits.put(StepInfo.begun(e.name(), StepInfo.Kind.WAIT, e.event(), recorded));
            case Event.EventReceived e ->
                // One whose event was there already leaves no trace of its beginning.
                visits.put(visits.open(e.name())
                        .orElseGet(() -> StepInfo.begun(e.name(), StepInfo.Kind.WAIT, e.event(), recorded))
                        .received(recorded.at(), e.payload()));
            case Event.WaitTimedOut e -> visits.change(e.name(), StepInfo::over);
            case Event _ -> {
                // Of the run as a whole, or of a kind that is not shown yet.
            }
        }
    }

    /** The steps of the page, as far as they were added. */
    public List<StepInfo> steps() {
        int first = (int) Math.min(from, visits.all.size());
        int last = (int) Math.min(until, visits.all.size());
        return List.copyOf(visits.all.subList(first, last));
    }

    /** Whether steps come after the page. */
    public boolean hasMore() {
        return until < visits.all.size();
    }

    /** The steps of a history. A StepFlow may come by a step again after it was done: then there is one more of that name. */
    private final class Visits {
        private final List<StepInfo> all = new ArrayList<>();
        private final Map<StepName, Integer> newest = new HashMap<>();

        Optional<StepInfo> open(StepName name) {
            return Optional.ofNullable(newest.get(name)).map(all::get).filter(step -> step.endedAt() == null);
        }

        void put(StepInfo step) {
            if (open(step.name()).isPresent()) {
                set(newest.getOrDefault(step.name(), 0), step);
            } else {
                newest.put(step.name(), all.size());
                all.add(step);
                set(all.size() - 1, step);
            }
        }

        private void set(int place, StepInfo step) {
            boolean inside = place >= from && place < until;
            all.set(place, inside || step.endedAt() == null ? step : step.bare());
            if (inside && step.endedAt() != null) {
                taken += step.bytes();
                shrink();
            }
        }

        /** Ends the page earlier, for as long as it is too large. */
        private void shrink() {
            while (taken > bytes && Math.min(until, all.size()) > from + 1) {
                until = Math.min(until, all.size()) - 1;
                StepInfo last = all.get((int) until);
                if (last.endedAt() != null) {
                    taken -= last.bytes();
                    all.set((int) until, last.bare());
                }
            }
        }

        void change(StepName name, UnaryOperator<StepInfo> change) {
            open(name).ifPresent(step -> put(change.apply(step)));
        }
    }
}
