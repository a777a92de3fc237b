/** Whether log lines can say whose they are: what queues and workflows ask before they put that into SLF4J's MDC. Not exported. */
@NullMarked
package io.perdure.core.logging;

import org.jspecify.annotations.NullMarked;
