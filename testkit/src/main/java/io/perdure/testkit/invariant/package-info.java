/**
 * The rules of reliability that can be judged from outside a store, one file per rule: each reads a
 * {@link io.perdure.testkit.invariant.Trace} of what observers saw and answers with what broke it.
 *
 * <p>A trace is written by whoever watches: the simulation in {@code io.perdure.testkit.simulation}, or a test that kills real
 * processes and notes what they were told in a file outside the database. {@link io.perdure.testkit.invariant.Invariants} is the
 * door.
 *
 * <p>Five rules are not here. Replay (7) needs the replayer; blobs (19) need a blob store; fairness between tenants (22) is a
 * measurement; versions side by side (24) and stores that agree with each other (25) compare two systems, where a trace tells
 * of one. Step results that stay equal over replays, the second half of rule 8, come with replay.
 */
@NullMarked
package io.perdure.testkit.invariant;

import org.jspecify.annotations.NullMarked;
