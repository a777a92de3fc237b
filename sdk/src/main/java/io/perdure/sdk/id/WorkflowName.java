package io.perdure.sdk.id;

import java.util.regex.Pattern;

/** Names a workflow, as in {@code onboard_user}. */
public record WorkflowName(String value) {
    private static final Pattern PATTERN = Names.pattern("[a-z0-9_]", Names.LIMITS.workflowCharacters());

    public WorkflowName {
        Names.matching("workflow name", PATTERN, value);
    }

    @Override
    public String toString() {
        return value;
    }
}
