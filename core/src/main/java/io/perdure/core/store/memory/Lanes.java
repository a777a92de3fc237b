package io.perdure.core.store.memory;

import io.perdure.core.store.Batch;
import io.perdure.core.store.Commit;
import io.perdure.core.store.LaneId;
import io.perdure.core.store.Outcome;
import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.Limits;
import io.perdure.sdk.StoreException;
import java.time.Instant;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/** Which batch each lane sent last, and what was answered: what makes sending a batch again harmless. */
final class Lanes {
    private record Answered(List<Outcome> outcomes, Instant at) {}

    private static final class Lane {
        long newest;
        Instant lastUsed;
        final NavigableMap<Long, Answered> batches = new TreeMap<>();

        Lane(Instant openedAt) {
            lastUsed = openedAt;
        }
    }

    private final Limits.Lanes limits;
    private final Map<LaneId, Lane> lanes = new LinkedHashMap<>();

    Lanes(Limits.Lanes limits) {
        this.limits = limits;
    }

    /** Opens a lane; one that is open counts as used. */
    void open(LaneId id, Instant now) {
        lanes.computeIfAbsent(id, _ -> new Lane(now)).lastUsed = now;
    }

    /** What a batch was answered, if it was applied before. Throws {@code PD-202} unless it is one of those or the next. */
    Optional<List<Outcome>> earlierAnswer(Batch batch) {
        Lane lane = lanes.get(batch.lane());
        if (lane != null && batch.number() == lane.newest + 1) {
            return Optional.empty();
        }
        Answered answered = lane == null ? null : lane.batches.get(batch.number());
        if (answered == null) {
            throw new StoreException(
                    ErrorCode.LANE_REWOUND,
                    "Batch " + batch.number() + " of lane " + batch.lane()
                            + " does not follow the newest one the store has, " + (lane == null ? "none" : lane.newest)
                            + ".");
        }
        Commit.require(
                answered.outcomes().size() == batch.commits().size(), "A batch that is sent again is the same batch.");
        return Optional.of(answered.outcomes());
    }

    void remember(Batch batch, List<Outcome> outcomes, Instant now) {
        Lane lane = lanes.get(batch.lane());
        if (lane == null) {
            throw new IllegalStateException("Lane %s was looked up before".formatted(batch.lane()));
        }
        lane.newest = batch.number();
        lane.lastUsed = now;
        lane.batches.put(batch.number(), new Answered(outcomes, now));
    }

    private record Old(Lane lane, long number, Instant at) {}

    /** Forgets lanes that fell silent, each counting as one, then old batches of the others; a lane's newest batch stays. */
    int sweep(Instant now, int limit) {
        List<LaneId> silent = lanes.entrySet().stream()
                .filter(lane ->
                        lane.getValue().lastUsed.plus(limits.lanesKept()).isBefore(now))
                .sorted(Comparator.comparing(lane -> lane.getValue().lastUsed))
                .map(Map.Entry::getKey)
                .limit(limit)
                .toList();
        silent.forEach(lanes::remove);
        List<Old> old = lanes.values().stream()
                .flatMap(lane -> lane.batches.headMap(lane.newest, false).entrySet().stream()
                        .filter(batch ->
                                batch.getValue().at().plus(limits.batchesKept()).isBefore(now))
                        .map(batch ->
                                new Old(lane, batch.getKey(), batch.getValue().at())))
                .sorted(Comparator.comparing(Old::at))
                .limit(limit - silent.size())
                .toList();
        old.forEach(batch -> batch.lane().batches.remove(batch.number()));
        return silent.size() + old.size();
    }
}
