package io.perdure.core.workflow;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.Limits;
import io.perdure.sdk.UnreadableHistoryException;
import io.perdure.sdk.id.RunId;
import java.util.Locale;

/**
 * How large a run may be to be read as a whole in this process: the configured limit, or a share of the heap if that is less. While it is read, a run
 * takes about four times its stored size: the rows of the driver, their texts and what is made of them.
 *
 * @param bytes the bound
 * @param what where the bound comes from, and how to raise it
 */
record ReadBound(long bytes, String what) {
    private static final int SHARE = 8;

    /** A run for a worker elsewhere is also written as JSON, in several copies. */
    private static final int SHARE_TO_SEND = 16;

    /** For runs that are worked on in this process. */
    static ReadBound ofWorker(Limits limits) {
        return of(limits.runs().readBytes(), Runtime.getRuntime().maxMemory(), SHARE);
    }

    /** For runs that are sent to workers elsewhere: they must also fit into one answer. */
    static ReadBound ofAnswers(Limits limits) {
        ReadBound read = of(limits.runs().readBytes(), Runtime.getRuntime().maxMemory(), SHARE_TO_SEND);
        // Leaves room for what the answer has besides.
        int answer = limits.remote().answerBytes() / 2;
        return read.bytes <= answer
                ? read
                : new ReadBound(
                        answer,
                        "what fits into one answer to a worker; a worker in the process of the engine can read more");
    }

    private static ReadBound of(int limit, long heap, int share) {
        long ofHeap = heap / share;
        return limit <= ofHeap
                ? new ReadBound(
                        limit, "the limit runs.readBytes, which OpenOptions.runBytesMax and --max-run-bytes raise")
                : new ReadBound(
                        ofHeap,
                        "1/" + share + " of this process's heap of " + count(heap) + " bytes, which -Xmx raises");
    }

    /** {@code PD-106}: a run has more. */
    UnreadableHistoryException exceededBy(RunId run, long size) {
        return new UnreadableHistoryException(
                ErrorCode.HISTORY_TOO_LARGE,
                "Run %s has %s bytes of history and waiting signals; at most %s are read: %s."
                        .formatted(run, count(size), count(bytes), what));
    }

    static String count(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }
}
