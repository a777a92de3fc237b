package io.perdure.sdk.id;

import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Names a queue. Users name theirs with {@code [a-z0-9_]}; a queue's dead letters are in {@code <queue>.dlq} and the runs
 * of a workflow in {@code __wf_<workflow>@<version>}. The dot and the at sign are outside the users' alphabet, so that no
 * name of theirs can meet one of ours.
 */
public record QueueName(String value) implements Comparable<QueueName> {
    private static final String RUNS_PREFIX = "__wf_";
    private static final String DEAD_LETTERS_SUFFIX = ".dlq";
    private static final Pattern USERS =
            Pattern.compile("(?!__)" + Names.pattern("[a-z0-9_]", Names.LIMITS.queueCharacters()) + "(\\.dlq)?");
    private static final Pattern RUNS = Pattern.compile(
            RUNS_PREFIX + Names.pattern("[a-z0-9_]", Names.LIMITS.workflowCharacters()) + "(@[1-9][0-9]{0,9})?");

    public QueueName {
        if (!RUNS.matcher(value).matches() && !USERS.matcher(value).matches()) {
            throw Names.invalid(
                    "queue name",
                    value,
                    "it must be 1 to " + Names.LIMITS.queueCharacters()
                            + " of the characters a-z, 0-9 and _, and not begin with __");
        }
    }

    /** The queue of the runs of one version of a workflow; without a version, of runs that no worker has claimed yet. */
    public static QueueName ofRuns(WorkflowName workflow, @Nullable Integer version) {
        return new QueueName(RUNS_PREFIX + workflow + (version == null ? "" : "@" + version));
    }

    /** The queue that receives this queue's dead letters. */
    public QueueName deadLetters() {
        return new QueueName(value + DEAD_LETTERS_SUFFIX);
    }

    /** Whether this queue holds the dead letters of another. */
    public boolean holdsDeadLetters() {
        return value.endsWith(DEAD_LETTERS_SUFFIX);
    }

    /** The queue whose dead letters this one holds; itself where it holds none. */
    public QueueName origin() {
        return holdsDeadLetters()
                ? new QueueName(value.substring(0, value.length() - DEAD_LETTERS_SUFFIX.length()))
                : this;
    }

    /** Whether this queue holds runs, which only the engine may touch. */
    public boolean holdsRuns() {
        return value.startsWith(RUNS_PREFIX);
    }

    /** Whose runs this queue holds; empty where it holds none. */
    public Optional<WorkflowName> workflow() {
        return holdsRuns()
                ? Optional.of(
                        new WorkflowName(value.substring(RUNS_PREFIX.length()).split("@", 2)[0]))
                : Optional.empty();
    }

    @Override
    public int compareTo(QueueName other) {
        return value.compareTo(other.value);
    }

    @Override
    public String toString() {
        return value;
    }
}
