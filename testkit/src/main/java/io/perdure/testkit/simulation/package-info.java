/**
 * Workers, clients and receivers that meet at one store in an order that a seed decides, with faults between them: what they see
 * becomes a {@link io.perdure.testkit.invariant.Trace}, and the invariants judge it.
 */
@NullMarked
package io.perdure.testkit.simulation;

import org.jspecify.annotations.NullMarked;
