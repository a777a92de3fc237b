/** Serves the engine over HTTP: routes, keys, and what remote workers need. */
@NullMarked
package io.perdure.server;

import org.jspecify.annotations.NullMarked;
