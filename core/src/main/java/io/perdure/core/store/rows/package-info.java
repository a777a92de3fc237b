/** What stores that keep rows have in common: how times, small maps and what workers serve are written, what events do to a run's row, who hears hints. */
@NullMarked
package io.perdure.core.store.rows;

import org.jspecify.annotations.NullMarked;
