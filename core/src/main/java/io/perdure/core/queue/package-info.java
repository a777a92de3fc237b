/**
 * Queues as users see them: send, receive with a long poll, settle by receipt. {@link io.perdure.core.queue.MessageQueue} is
 * where to start; everything that is stored goes through the {@code Ledger}.
 */
@NullMarked
package io.perdure.core.queue;

import org.jspecify.annotations.NullMarked;
