/** That the benchmarks measure what they say; never how much. */
@NullMarked
package io.perdure.benchmarks;

import org.jspecify.annotations.NullMarked;
