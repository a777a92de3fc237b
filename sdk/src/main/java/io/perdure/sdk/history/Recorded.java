package io.perdure.sdk.history;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An event in its place in a history.
 *
 * @param seq its number: 0 is {@link Event.RunCreated}, and there are no gaps
 * @param at when the store began to apply its commit, by the store's clock, and never earlier than the event before it: if the
 *     clock was set back, the event has the time of the event before it until the clock has caught up
 * @param until the time that the store fixed for it, counted from what its clock read: the end of a sleep or wait, when a step that began should be over, the next attempt of a
 *     failed step
 */
public record Recorded(long seq, Instant at, @Nullable Instant until, Event event) {}
