/** What those who watch an engine are told: meters and traces, made of what became durable, at one seam around the store. */
@NullMarked
package io.perdure.core.telemetry;

import org.jspecify.annotations.NullMarked;
