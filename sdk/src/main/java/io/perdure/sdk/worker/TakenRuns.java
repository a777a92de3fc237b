package io.perdure.sdk.worker;

import io.perdure.sdk.id.RunId;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * The runs that were ended from this process lately. One that was claimed or started just before, and has not begun yet, finds itself
 * here when it does. So many are remembered that none is forgotten in the moment that takes.
 */
final class TakenRuns {
    private static final int MOST = 10_000;

    private final Set<RunId> taken = ConcurrentHashMap.newKeySet();
    private final Queue<RunId> oldestFirst = new ConcurrentLinkedQueue<>();

    void add(RunId run) {
        if (taken.add(run)) {
            oldestFirst.add(run);
            if (taken.size() > MOST) {
                RunId oldest = oldestFirst.poll();
                if (oldest != null) {
                    taken.remove(oldest);
                }
            }
        }
    }

    boolean contains(RunId run) {
        return taken.contains(run);
    }
}
