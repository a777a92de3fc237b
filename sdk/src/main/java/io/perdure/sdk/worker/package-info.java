/** Runs workflows over the port {@code Backend}: claims runs, replays them, does their steps, and commits what happened. */
@NullMarked
package io.perdure.sdk.worker;

import org.jspecify.annotations.NullMarked;
