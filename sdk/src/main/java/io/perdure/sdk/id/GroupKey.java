package io.perdure.sdk.id;

/** Names a FIFO group within a queue: its messages are delivered in commit order, one at a time. */
public record GroupKey(String value) {
    public GroupKey {
        Names.key("group key", value);
    }

    @Override
    public String toString() {
        return value;
    }
}
