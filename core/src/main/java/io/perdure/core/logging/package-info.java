/** Whose a log line is: what queues, workflows and the server put into SLF4J's MDC. Exported to the server only. */
@NullMarked
package io.perdure.core.logging;

import org.jspecify.annotations.NullMarked;
