/**
 * What consumers promise; and FIFO groups and dead letters under processes that compete and die: what each of them saw, and what is asked of
 * all of it.
 */
@NullMarked
package io.perdure.testkit.queue;

import org.jspecify.annotations.NullMarked;
