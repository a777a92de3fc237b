package io.perdure.sdk.queue;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A page of a queue's messages, by when they are or become ready.
 *
 * @param next where the next page begins; absent where there is none. It holds while messages come and go. One that is received or
 *     given back meanwhile has another place from then on, and can be met twice or not at all
 */
public record MessagePage(
        List<QueuedMessage> messages, @Nullable String next) {
    public MessagePage {
        messages = List.copyOf(messages);
    }
}
