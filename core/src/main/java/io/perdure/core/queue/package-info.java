/**
 * Queues as users see them: send, receive with a long poll, settle by receipt, or have messages handled by a {@link
 * io.perdure.core.queue.QueueConsumer}. {@link io.perdure.core.queue.MessageQueue} is where to start; everything that is stored goes
 * through the {@code Ledger}.
 */
@NullMarked
package io.perdure.core.queue;

import org.jspecify.annotations.NullMarked;
