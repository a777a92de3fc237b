/** Holds the Postgres store to the contract of all stores, and to what it promises when many work on it, or die. */
@NullMarked
package io.perdure.store.postgres;

import org.jspecify.annotations.NullMarked;
