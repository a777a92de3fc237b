/** Holds the SQLite store to what only a file can promise. */
@NullMarked
package io.perdure.store.sqlite;

import org.jspecify.annotations.NullMarked;
