package io.perdure.core.store;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.InvalidValueException;
import io.perdure.sdk.id.ProcessId;

/** Names one of the lanes by which a process sends its numbered batches to a store. */
public record LaneId(ProcessId process, int number) {
    public LaneId {
        if (number < 0) {
            throw new InvalidValueException(ErrorCode.OUT_OF_BOUNDS, "A lane's number is " + number + ", below 0.");
        }
    }
}
