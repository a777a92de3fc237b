package io.perdure.benchmarks;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What {@code perdure bench queue} found. Rates are per second, idle times in milliseconds.
 *
 * @param machine what it was measured on
 * @param unbatchedConnections the pool size with which one transaction each did best
 * @param unbatchedFlushes flushes per message of that
 * @param more other ways to use a queue
 * @param together whole trips by several processes on one queue
 */
record QueueReport(
        String machine,
        double send,
        double sendBatch,
        double processed,
        double idle50,
        double idle99,
        double rowsPerMessage,
        double flushesPerMessage,
        double unbatchedSend,
        double unbatchedProcessed,
        double unbatchedFlushes,
        int unbatchedConnections,
        List<Figure> more,
        List<Together> together) {
    /** What processes at once got done, all of them in a second. */
    record Together(int processes, double perSecond) {
        Map<String, Object> json() {
            Map<String, Object> json = new LinkedHashMap<>();
            json.put("processes", processes);
            json.put("processed_per_s", Math.round(perSecond));
            return json;
        }
    }

    QueueReport {
        more = List.copyOf(more);
        together = List.copyOf(together);
    }

    Map<String, Object> json() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("machine", machine);
        json.put("send_per_s", Math.round(send));
        json.put("send_batch_per_s", Math.round(sendBatch));
        json.put("processed_per_s", Math.round(processed));
        json.put("unbatched_send_per_s", Math.round(unbatchedSend));
        json.put("unbatched_processed_per_s", Math.round(unbatchedProcessed));
        json.put("unbatched_connections", unbatchedConnections);
        json.put("idle_p50_ms", rounded(idle50));
        json.put("idle_p99_ms", rounded(idle99));
        json.put("rows_per_message", rounded(rowsPerMessage));
        json.put("flushes_per_message", rounded(flushesPerMessage));
        json.put("unbatched_flushes_per_message", rounded(unbatchedFlushes));
        more.forEach(figure -> json.put(figure.key(), figure.json()));
        json.put("together", together.stream().map(Together::json).toList());
        return json;
    }

    private static double rounded(double number) {
        return Math.round(number * 10_000) / 10_000.0;
    }
}
