package io.perdure.sdk.queue;

/** What is done with each message that a consumer receives. */
@FunctionalInterface
public interface MessageHandler {
    /**
     * Deals with a message. When this returns the message is acknowledged, when it throws it is given back, and when it throws {@link
     * RejectMessageException} it is given up; unless it was settled here, by a method of the delivery: then nothing more is done.
     *
     * <p>Runs on a virtual thread of its own, at the same time as others. It may be called again for the same message, also when it
     * has returned, so it should be repeatable. It is interrupted when it takes longer than {@link ConsumeOptions#handlerLimit}, or
     * than the consumer waits for it when it is closed.
     */
    void handle(Delivery delivery) throws Exception;
}
