/** What the server shows of itself: the figures that are scraped, and the spans that are sent on. */
@NullMarked
package io.perdure.server.telemetry;

import org.jspecify.annotations.NullMarked;
