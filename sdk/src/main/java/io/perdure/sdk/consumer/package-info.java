/** Consumes a queue over the port {@code QueueBackend}: receives, has messages handled, keeps their leases, and says what became of them. */
@NullMarked
package io.perdure.sdk.consumer;

import org.jspecify.annotations.NullMarked;
