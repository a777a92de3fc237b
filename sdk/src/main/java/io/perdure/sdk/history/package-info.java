/**
 * The history of a run: what can happen to it, how that is written down, and which status follows. Everything a run is can
 * be told from its history.
 */
@NullMarked
package io.perdure.sdk.history;

import org.jspecify.annotations.NullMarked;
