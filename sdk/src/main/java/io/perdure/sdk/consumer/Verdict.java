package io.perdure.sdk.consumer;

import java.time.Duration;

/** What is to become of a message that was received. */
public sealed interface Verdict {
    /** It was dealt with. */
    record Done() implements Verdict {}

    /** It is to be delivered again after the delay, or given up where it has used up its deliveries. */
    record Retry(Duration delay, String error) implements Verdict {}

    /** It is given up. */
    record Reject(String error) implements Verdict {}

    /** It is given back as if it had not been delivered. */
    record Release() implements Verdict {}
}
