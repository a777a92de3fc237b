/** Holds the Postgres store to what it promises, on a real server. */
@NullMarked
package io.perdure.store.postgres;

import org.jspecify.annotations.NullMarked;
