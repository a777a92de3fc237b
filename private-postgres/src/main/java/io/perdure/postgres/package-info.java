/**
 * A real Postgres of one's own, for tests and benchmarks, and ways to hurt it. Start at {@code PrivatePostgres}; {@code
 * PgBouncer} and {@code CuttingProxy} stand in front of one.
 */
@NullMarked
package io.perdure.postgres;

import org.jspecify.annotations.NullMarked;
