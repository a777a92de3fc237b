/**
 * What an engine may not take for itself: time, randomness, ids, threads and waiting. They come from an
 * {@link io.perdure.sdk.environment.Environment}, so that the whole engine can run in a deterministic simulation.
 */
@NullMarked
package io.perdure.sdk.environment;

import org.jspecify.annotations.NullMarked;
