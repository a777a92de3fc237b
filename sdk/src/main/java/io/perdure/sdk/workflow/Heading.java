package io.perdure.sdk.workflow;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.InvalidValueException;
import io.perdure.sdk.Limits;
import io.perdure.sdk.id.WorkflowName;
import java.time.Duration;

/** What stands above the code of every workflow, whichever way it is written. */
record Heading(WorkflowName name, int version, int retentionDays) {
    /** Version 1, kept for the default retention; {@code PD-001} for a name that is not valid. */
    static Heading named(String name) {
        return new Heading(new WorkflowName(name), 1, Limits.defaults().runs().retentionDaysDefault());
    }

    Heading version(int other) {
        if (other < 1) {
            throw new InvalidValueException(
                    ErrorCode.OUT_OF_BOUNDS, "Version " + other + " of workflow " + name + " is below 1.");
        }
        return new Heading(name, other, retentionDays);
    }

    Heading retention(Duration kept) {
        long days = Math.ceilDiv(kept.toSeconds(), Duration.ofDays(1).toSeconds());
        int most = Limits.defaults().runs().retentionDaysCeiling();
        if (days < 1 || days > most) {
            throw new InvalidValueException(
                    ErrorCode.OUT_OF_BOUNDS,
                    "Retention " + kept + " of workflow " + name + " is not between 1 and " + most + " days.");
        }
        return new Heading(name, version, Math.toIntExact(days));
    }

    @Override
    public String toString() {
        return name + "@" + version;
    }
}
