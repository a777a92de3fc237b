package io.perdure.sdk.queue;

import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** A send that is under way. It goes on whether or not anybody waits for it. */
public final class Sending {
    private final Supplier<List<SentMessage>> answer;
    private final BooleanSupplier done;

    /** A send that answers so, once it is done. */
    public Sending(Supplier<List<SentMessage>> answer, BooleanSupplier done) {
        this.answer = answer;
        this.done = done;
    }

    /**
     * Waits until the messages are stored for good and answers as {@link MessageQueue#sendAll} would have, or throws what it would
     * have thrown. May be asked more than once.
     */
    public List<SentMessage> await() {
        return answer.get();
    }

    /** Whether {@link #await} would answer or throw at once. */
    public boolean isDone() {
        return done.getAsBoolean();
    }
}
