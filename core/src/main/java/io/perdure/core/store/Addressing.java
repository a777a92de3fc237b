package io.perdure.core.store;

import org.jspecify.annotations.Nullable;

/**
 * Finds the lane of a commit: what must keep its order goes one way. A run's commits go by its id, a send by the queue and
 * group of its first message, a settled message by the token of its lease, everything else by its queue. What one receive has
 * leased is so acknowledged in one batch, which its receiver waits for once (measured: 15 % more messages).
 */
final class Addressing {
    private Addressing() {}

    static int laneOf(Commit commit, int lanes) {
        int hash = hash(commit);
        // Ids and names differ little in their high bits; the product moves every bit there before they are taken.
        return (int) (((hash * 0x9E37_79B9L & 0xFFFF_FFFFL) * lanes) >>> 32);
    }

    private static int hash(Commit commit) {
        return switch (commit) {
            case RunCommit c -> c.run().hashCode();
            case QueueCommit.Send c -> {
                NewMessage first = c.messages().getFirst();
                yield hash(c, first.queue(), first.group());
            }
            case QueueCommit.Settle c -> c.receipt().token().hashCode();
            case QueueCommit.Redrive c -> hash(c, c.deadLetters(), null);
            case QueueCommit.Discard c -> hash(c, c.queue(), null);
            case QueueCommit.Purge c -> hash(c, c.queue(), null);
            case QueueCommit.Create c -> hash(c, c.queue(), null);
            case QueueCommit.Update c -> hash(c, c.queue(), null);
            case QueueCommit.Delete c -> hash(c, c.queue(), null);
        };
    }

    private static int hash(Commit commit, Object queue, @Nullable Object group) {
        int hash = 31 * commit.tenant().hashCode() + queue.hashCode();
        return group == null ? hash : 31 * hash + group.hashCode();
    }

    /** What a commit is called in an error, with its ids. */
    static String nameOf(Commit commit) {
        String subject = switch (commit) {
            case RunCommit c -> "run " + c.run();
            case QueueCommit.Send c -> {
                NewMessage first = c.messages().getFirst();
                yield "message " + first.id() + " to queue \"" + first.queue() + "\"";
            }
            case QueueCommit.Settle c -> "message " + c.receipt().message();
            case QueueCommit.Redrive c -> "message " + c.message();
            case QueueCommit.Discard c -> "message " + c.message();
            case QueueCommit.Purge c -> "queue \"" + c.queue() + "\"";
            case QueueCommit.Create c -> "queue \"" + c.queue() + "\"";
            case QueueCommit.Update c -> "queue \"" + c.queue() + "\"";
            case QueueCommit.Delete c -> "queue \"" + c.queue() + "\"";
        };
        return commit.getClass().getSimpleName() + " of " + subject;
    }
}
