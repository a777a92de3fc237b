package io.perdure.sdk.id;

import io.perdure.sdk.Limits;

/** What people know an API key by: free text of 1 to 128 bytes without control characters. Several may have the same. */
public record KeyName(String value) {
    private static final int MOST_BYTES = Limits.defaults().keys().nameBytes();

    public KeyName {
        Names.text("key name", value, MOST_BYTES);
    }

    @Override
    public String toString() {
        return value;
    }
}
