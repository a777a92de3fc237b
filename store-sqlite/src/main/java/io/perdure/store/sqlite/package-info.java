/**
 * Keeps everything in one SQLite file. One thread writes, sharing a flush between all who wait; readers go beside it. Start
 * at {@code SqliteStore}; {@code docs/decisions/0004} says why it is as it is.
 */
@NullMarked
package io.perdure.store.sqlite;

import org.jspecify.annotations.NullMarked;
