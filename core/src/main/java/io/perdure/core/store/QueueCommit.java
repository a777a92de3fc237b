package io.perdure.core.store;

import io.perdure.sdk.id.MessageId;
import io.perdure.sdk.id.QueueName;
import io.perdure.sdk.id.Receipt;
import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.queue.QueueBounds;
import io.perdure.sdk.queue.QueueSettings;
import java.time.Duration;
import java.util.List;

/** A change of users' queues and the messages in them. Queues of runs are out of its reach. */
public sealed interface QueueCommit extends Commit {
    /**
     * Puts messages into queues, all or none. Refused where one of the queues is not there ({@code NO_SUCH_QUEUE}) or does
     * not allow the delay ({@code DELAY_TOO_LONG}). A message whose id another
     * one in the users' queues has adds none; ids of runs are a space of their own.
     */
    record Send(TenantId tenant, List<NewMessage> messages) implements QueueCommit {
        public Send {
            messages = List.copyOf(messages);
            Commit.require(!messages.isEmpty(), "A send has a message.");
            Bounds.batch(messages);
        }
    }

    /**
     * What the holder of a lease says of its message. Answers {@link Outcome.LeaseLost} unless the message bears the
     * receipt's token; a lease that ran out passes as long as nobody else has received the message.
     *
     * @param sends messages that leave with the verdict or not at all
     */
    record Settle(TenantId tenant, Receipt receipt, Verdict verdict, List<NewMessage> sends) implements QueueCommit {
        public Settle {
            sends = List.copyOf(sends);
            Bounds.batch(sends);
        }

        public Settle(TenantId tenant, Receipt receipt, Verdict verdict) {
            this(tenant, receipt, verdict, List.of());
        }
    }

    /** How the handling of a message came out. */
    sealed interface Verdict {
        /** Handled: the message goes. */
        record Done() implements Verdict {}

        /** Not handled: deliver it again after the delay, or dead-letter it if its deliveries are used up. */
        record Retry(Duration delay, String error) implements Verdict {
            public Retry {
                QueueBounds.delay(delay);
                error = Bounds.error(error);
            }
        }

        /**
         * Not begun: the message is ready at once, and its delivery does not count. For who received more than it came to, and
         * stops.
         */
        record Release() implements Verdict {}

        /** Never to be handled: dead-letter it now. */
        record Reject(String error) implements Verdict {
            public Reject {
                error = Bounds.error(error);
            }
        }
    }

    /** Puts a dead letter back into the queue it came from, at the tail of its group, with its deliveries counted anew. */
    record Redrive(TenantId tenant, QueueName deadLetters, MessageId message) implements QueueCommit {
        public Redrive {
            Commit.require(deadLetters.holdsDeadLetters(), "Only dead letters are redriven.");
        }
    }

    /** Deletes a message, leased or not. */
    record Discard(TenantId tenant, QueueName queue, MessageId message) implements QueueCommit {
        public Discard {
            Bounds.usersQueue(queue);
        }
    }

    /** Deletes at most {@code limit} messages of a queue, leased or not, by when they are or become ready, then by id; answers how many. */
    record Purge(TenantId tenant, QueueName queue, int limit) implements QueueCommit {
        public Purge {
            Bounds.usersQueue(queue);
            Bounds.swept(limit);
        }
    }

    /** Creates a queue and its dead-letter queue. One with equal settings is left as it is; other settings are refused. */
    record Create(TenantId tenant, QueueName queue, QueueSettings settings) implements QueueCommit {
        public Create {
            Bounds.usersQueue(queue);
            Commit.require(!queue.holdsDeadLetters(), "Dead-letter queues come with their queue.");
        }
    }

    /** Changes a queue's settings, for messages sent or received from now on. */
    record Update(TenantId tenant, QueueName queue, QueueSettings settings) implements QueueCommit {
        public Update {
            Bounds.usersQueue(queue);
            Commit.require(!queue.holdsDeadLetters(), "Dead-letter queues follow the settings of their queue.");
        }
    }

    /** Deletes a queue, its dead-letter queue and its deduplication ids. Refused ({@code QUEUE_NOT_EMPTY}) while either holds a message. */
    record Delete(TenantId tenant, QueueName queue) implements QueueCommit {
        public Delete {
            Bounds.usersQueue(queue);
            Commit.require(!queue.holdsDeadLetters(), "Dead-letter queues go with their queue.");
        }
    }
}
