package io.perdure.core.queue;

import io.perdure.core.store.Outcome;
import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.StoreException;
import io.perdure.sdk.id.Receipt;
import io.perdure.sdk.queue.Fate;
import io.perdure.sdk.queue.SentMessage;
import java.util.List;

/** Turns what the store answered into what a caller gets: a value, or the coded error that it stands for. */
final class Outcomes {
    private Outcomes() {}

    static List<SentMessage> sent(Outcome outcome) {
        return switch (outcome) {
            case Outcome.Sent(List<SentMessage> messages) -> messages;
            case Outcome other -> throw refused(other);
        };
    }

    static Fate settled(Outcome outcome, Receipt receipt) {
        return switch (outcome) {
            case Outcome.Settled settled -> settled.fate();
            case Outcome.LeaseLost _ -> throw receipt.lost();
            case Outcome other -> throw refused(other);
        };
    }

    /** Whether an acknowledgement came too late. */
    static boolean isLost(Outcome outcome, Receipt receipt) {
        if (outcome instanceof Outcome.LeaseLost) {
            return true;
        }
        settled(outcome, receipt);
        return false;
    }

    static int changed(Outcome outcome) {
        return switch (outcome) {
            case Outcome.Changed(int count) -> count;
            case Outcome other -> throw refused(other);
        };
    }

    static StoreException closed() {
        return new StoreException(ErrorCode.STORE_CLOSED, "This engine was closed.");
    }

    private static RuntimeException refused(Outcome outcome) {
        return outcome instanceof Outcome.Refused(var why, var detail)
                ? why.because(detail)
                : new IllegalStateException("no queue commit is answered with " + outcome);
    }
}
