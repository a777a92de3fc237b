/** Talks to a Perdure server: the engine's verbs and its workers, over HTTP. */
@NullMarked
package io.perdure.client;

import org.jspecify.annotations.NullMarked;
