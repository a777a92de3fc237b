package io.perdure.sdk.id;

/** Makes a send or signal repeatable within the deduplication window of its queue, or the life of its run. */
public record DeduplicationId(String value) {
    public DeduplicationId {
        Names.key("deduplication id", value);
    }

    @Override
    public String toString() {
        return value;
    }
}
