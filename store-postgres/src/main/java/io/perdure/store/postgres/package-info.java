/**
 * Keeps everything in one schema of a Postgres database that any number of processes share. {@code Connections} is the only way
 * to the server; {@code Migrations} makes the tables; {@code docs/reference/postgres.md} is for who runs it.
 */
@NullMarked
package io.perdure.store.postgres;

import org.jspecify.annotations.NullMarked;
