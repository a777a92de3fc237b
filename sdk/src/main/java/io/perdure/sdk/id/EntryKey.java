package io.perdure.sdk.id;

/** The name of an entry in a StepFlow's scratchpad: free text of 1 to 256 bytes without control characters. */
public record EntryKey(String value) {
    public EntryKey {
        Names.key("scratchpad entry", value);
    }

    @Override
    public String toString() {
        return value;
    }
}
