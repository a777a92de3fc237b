package io.perdure.sdk.run;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.UnreadableHistoryException;
import io.perdure.sdk.id.RunId;
import java.util.Locale;

/** Counts what is kept of one run against an eighth of this process's heap: what is read takes several times its size for a while. For one thread. */
final class HeapShare {
    private static final int SHARE = 8;

    private final RunId run;
    private final long heap = Runtime.getRuntime().maxMemory();
    private long taken;

    HeapShare(RunId run) {
        this.run = run;
    }

    /** Throws {@code PD-106} once there is too much. */
    void take(long bytes) {
        taken += bytes;
        if (taken > heap / SHARE) {
            throw new UnreadableHistoryException(
                    ErrorCode.HISTORY_TOO_LARGE,
                    ("Run %s has more than %s bytes of history; at most %s are kept at once: 1/%s of this process's heap of %s bytes, which"
                                    + " -Xmx raises. Run.follow() and GET /v1/runs/{id}/history read it in parts.")
                            .formatted(run, count(taken), count(heap / SHARE), SHARE, count(heap)));
        }
    }

    private static String count(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }
}
