/**
 * The queues of this process's store: send, receive with a long poll, settle by receipt, and the port that consumers work over. {@link
 * io.perdure.core.queue.Queues} is where to start; everything that is stored goes through the {@code Ledger}.
 */
@NullMarked
package io.perdure.core.queue;

import org.jspecify.annotations.NullMarked;
