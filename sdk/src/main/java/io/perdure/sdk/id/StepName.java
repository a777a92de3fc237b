package io.perdure.sdk.id;

import java.util.regex.Pattern;

/** Names a step, sleep or wait within one run; a name is used once per run. */
public record StepName(String value) {
    private static final Pattern PATTERN = Names.pattern("[a-zA-Z0-9._-]", Names.LIMITS.stepCharacters());

    public StepName {
        Names.matching("step name", PATTERN, value);
    }

    @Override
    public String toString() {
        return value;
    }
}
