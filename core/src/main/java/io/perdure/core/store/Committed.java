package io.perdure.core.store;

import io.perdure.core.store.Claimed.ClaimedRun;
import io.perdure.core.store.RunSnapshot.MailboxEntry;
import io.perdure.sdk.history.Recorded;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The answer to {@link Store#commit(Batch, ClaimRuns)}.
 *
 * @param outcomes one for each commit
 * @param woken the run that was leased in the same transaction
 */
public record Committed(List<Outcome> outcomes, @Nullable WokenRun woken) {
    public Committed {
        outcomes = List.copyOf(outcomes);
    }

    /**
     * A run that a commit has made due, and that is now leased.
     *
     * @param contents what it goes on with; null where that is yet to be read by {@link Store#snapshots}
     */
    public record WokenRun(ClaimedRun claimed, @Nullable Contents contents) {}

    /**
     * All that is needed to go on with a run, as it was at one moment after it was leased.
     *
     * @param wakes how many signals it was sent
     * @param history all events, {@code RunCreated} first
     * @param mailbox the signals not yet taken, in the order they came
     */
    public record Contents(@Nullable Instant deadline, long wakes, List<Recorded> history, List<MailboxEntry> mailbox) {
        public Contents {
            history = List.copyOf(history);
            mailbox = List.copyOf(mailbox);
        }
    }
}
