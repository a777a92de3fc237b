/**
 * The workloads behind {@code docs/performance.md}, each run by one command. They measure through the same doors that users
 * take, and beside what a user would write by hand.
 */
@NullMarked
package io.perdure.benchmarks;

import org.jspecify.annotations.NullMarked;
