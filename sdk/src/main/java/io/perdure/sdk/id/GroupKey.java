package io.perdure.sdk.id;

/** Names a FIFO group within a queue: its messages are delivered in commit order, one at a time. */
public record GroupKey(String value) {
    public GroupKey {
        Names.key("group key", value);
    }

    /** Tells this group of a queue from nearly all others of all queues: the same in every process, and never 0. */
    public int hashIn(QueueName queue) {
        int hash = 31 * queue.value().hashCode() + value.hashCode();
        return hash == 0 ? 1 : hash;
    }

    @Override
    public String toString() {
        return value;
    }
}
