/** Queues as their users see them: what is sent, received and settled, wherever the engine is. */
@NullMarked
package io.perdure.sdk.queue;

import org.jspecify.annotations.NullMarked;
