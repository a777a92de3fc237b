/** Holds the SQLite store to the contract of all stores, and to what it promises when its process dies. */
@NullMarked
package io.perdure.store.sqlite;

import org.jspecify.annotations.NullMarked;
