package io.perdure.testkit.invariant;

import io.perdure.core.store.QueueCommit;
import io.perdure.sdk.Sha256;
import io.perdure.sdk.id.QueueName;
import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.queue.QueueSettings;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What observers outside a store saw, in order. The place of a fact is when its answer came, and it remembers where the trace
 * stood when its call began, so that a rule can tell "certainly before" from "at the same time" even where many threads or
 * processes were watching.
 */
public final class Trace {
    private final List<Noted<? extends Fact>> all;
    private final Duration skew;
    private final Map<CommitRef, Integer> firstAsked = new HashMap<>();
    private final Map<CommitRef, Integer> firstAnswered = new HashMap<>();
    private final Map<QueueKey, QueueSettings> settings = new HashMap<>();
    private final List<Instant> latestUpTo = new ArrayList<>();
    private final List<Integer> setbacksUpTo = new ArrayList<>();
    private final List<Noted<Fact.ReceiveLost>> lostReceives;
    private @Nullable Map<RunKey, RunStory> runs;
    private @Nullable Map<MessageKey, MessageStory> messages;

    /**
     * Takes what was noted.
     *
     * @param all the facts, each at the position it names
     * @param skew how far the times noted may be from the store's clock; nought where the observer holds that clock
     */
    public Trace(List<Noted<? extends Fact>> all, Duration skew) {
        this.all = List.copyOf(all);
        this.skew = skew;
        this.lostReceives = only(Fact.ReceiveLost.class);
        Instant latest = Instant.MIN;
        Instant last = Instant.MIN;
        int setbacks = 0;
        for (Noted<? extends Fact> noted : this.all) {
            setbacks += noted.at().plus(skew).isBefore(last) ? 1 : 0;
            setbacksUpTo.add(setbacks);
            last = noted.at();
            latest = noted.at().isAfter(latest) ? noted.at() : latest;
            latestUpTo.add(latest);
            if (noted.fact() instanceof Fact.Asked asked) {
                firstAsked.putIfAbsent(asked.ref(), noted.position());
                if (asked.commit() instanceof QueueCommit.Create create) {
                    settings.putIfAbsent(new QueueKey(create.tenant(), create.queue()), create.settings());
                }
            } else if (noted.fact() instanceof Fact.Answered answered) {
                firstAnswered.putIfAbsent(answered.ref(), noted.position());
            }
        }
    }

    /** Everything, in order. */
    public List<Noted<? extends Fact>> all() {
        return all;
    }

    /** The facts of one kind, in order. */
    public <F extends Fact> List<Noted<F>> only(Class<F> kind) {
        List<Noted<F>> some = new ArrayList<>();
        for (Noted<? extends Fact> noted : all) {
            if (kind.isInstance(noted.fact())) {
                some.add(new Noted<>(noted.position(), noted.since(), noted.at(), noted.by(), kind.cast(noted.fact())));
            }
        }
        return some;
    }

    /** A hash over everything seen: equal for two runs of one seed, and different as soon as one fact is. */
    public String hash() {
        MessageDigest digest = Sha256.digest();
        for (Noted<? extends Fact> noted : all) {
            digest.update(noted.toString().getBytes(StandardCharsets.UTF_8));
        }
        return HexFormat.of().formatHex(digest.digest());
    }

    Duration skew() {
        return skew;
    }

    /** Where a commit was first sent; the first place of all where nobody noted it. */
    int firstAsked(CommitRef ref) {
        return firstAsked.getOrDefault(ref, 0);
    }

    boolean wasAnswered(CommitRef ref) {
        return firstAnswered.containsKey(ref);
    }

    /** The latest time that the store's clock was seen to show up to a place. */
    Instant latestUpTo(int position) {
        return latestUpTo.get(position);
    }

    /** The earliest time that the store's clock was seen to show from a place to another. */
    Instant earliest(int from, int to) {
        return all.subList(from, to + 1).stream()
                .map(Noted::at)
                .min(Comparator.naturalOrder())
                .orElseThrow()
                .minus(skew);
    }

    /** Whether the store's clock was seen to go back between two places. */
    boolean wentBack(int after, int before) {
        return setbacksUpTo.get(before) > setbacksUpTo.get(after);
    }

    /** The earliest time that the store's clock was seen to show between two places, among the times that pass a test. */
    Optional<Instant> earliest(int after, int before, Predicate<Instant> test) {
        return all.subList(after, before).stream().map(Noted::at).filter(test).min(Comparator.naturalOrder());
    }

    /** Whether a time may have come by a place, for a clock that did not go back. */
    boolean mayHaveCome(Instant time, int position) {
        return !time.isAfter(all.get(position).at().plus(skew));
    }

    /** Where everything came to rest, if the trace goes so far. */
    OptionalInt lastLook() {
        return all.stream()
                .filter(noted -> noted.fact() instanceof Fact.LastLook)
                .mapToInt(Noted::position)
                .findFirst();
    }

    Map<RunKey, RunStory> runs() {
        Map<RunKey, RunStory> told = runs;
        if (told == null) {
            told = RunStory.tell(this);
            runs = told;
        }
        return told;
    }

    Map<MessageKey, MessageStory> messages() {
        Map<MessageKey, MessageStory> told = messages;
        if (told == null) {
            told = MessageStory.tell(this);
            messages = told;
        }
        return told;
    }

    /** The settings a queue was created with, as far as the trace tells. */
    Optional<QueueSettings> settings(TenantId tenant, QueueName queue) {
        return Optional.ofNullable(settings.get(new QueueKey(tenant, queue)));
    }

    /** How many receives from a queue between two places may have leased a message without anybody's hearing of it. */
    long lostReceives(TenantId tenant, QueueName queue, int after, int before) {
        return lost(tenant, queue, after, before).count();
    }

    /** How many of them had a lease that may have ended by the second place. */
    long lostReceivesThatMayHaveEnded(TenantId tenant, QueueName queue, int after, int before) {
        return lost(tenant, queue, after, before)
                .filter(noted -> mayHaveCome(
                                begun(noted).plus(noted.fact().request().lease().length()), before)
                        || wentBack(noted.since(), before))
                .count();
    }

    private Stream<Noted<Fact.ReceiveLost>> lost(TenantId tenant, QueueName queue, int after, int before) {
        return lostReceives.stream()
                .filter(noted -> noted.position() > after && noted.since() < before)
                .filter(noted -> noted.fact().request().tenant().equals(tenant)
                        && noted.fact().request().queue().equals(queue));
    }

    /** A time that was seen before a call began. */
    private Instant begun(Noted<?> noted) {
        return all.get(Math.max(0, noted.since() - 1)).at();
    }

    /** Writes a trace down, one fact after another. Not safe for many threads: whoever has many puts a lock around it. */
    public static final class Recorder {
        private final List<Noted<? extends Fact>> noted = new ArrayList<>();
        private final Duration skew;

        /**
         * Begins an empty trace.
         *
         * @param skew how far the times noted may be from the store's clock; nought where the observer holds that clock
         */
        public Recorder(Duration skew) {
            this.skew = skew;
        }

        /** Where the trace stands: to be taken before a call whose answer will be noted. */
        public int position() {
            return noted.size();
        }

        /** Notes a fact whose call began when the trace stood at {@code since}. */
        public void note(int since, Instant at, String by, Fact fact) {
            noted.add(new Noted<>(noted.size(), since, at, by, fact));
        }

        /** What was written so far. */
        public Trace trace() {
            return new Trace(noted, skew);
        }
    }
}
