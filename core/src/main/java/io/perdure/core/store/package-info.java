/**
 * The seam between the engine and its storage: commits go in, outcomes come out. {@link io.perdure.core.store.Store} is what
 * a database implements; {@code memory} is the reference model that says what each rule means.
 */
@NullMarked
package io.perdure.core.store;

import org.jspecify.annotations.NullMarked;
