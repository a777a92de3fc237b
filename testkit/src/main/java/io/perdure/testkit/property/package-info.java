/** Seeded runs of random operations that compare a store with the memory store, the model of all stores. */
@NullMarked
package io.perdure.testkit.property;

import org.jspecify.annotations.NullMarked;
