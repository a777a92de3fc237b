package io.perdure.client;

import io.perdure.sdk.id.KeyId;
import io.perdure.sdk.id.QueueName;
import io.perdure.sdk.id.RunId;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;

/** Where things are at the server. */
final class Paths {
    static final String ROOT = "/v1";
    static final String RUNS = ROOT + "/runs";
    static final String WORKFLOWS = ROOT + "/workflows";
    static final String QUEUES = ROOT + "/queues";
    static final String KEYS = ROOT + "/keys";

    private Paths() {}

    static String run(RunId run) {
        return RUNS + "/" + run;
    }

    static String queue(QueueName queue) {
        return QUEUES + "/" + encoded(queue.value());
    }

    static String key(KeyId key) {
        return KEYS + "/" + key;
    }

    /** A text as one part of a path or a query, whatever is in it. */
    static String encoded(String text) {
        // That one writes forms, where a blank is a plus.
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
