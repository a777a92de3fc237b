/** One runnable file per idea. What the README and the docs show is taken from here. */
@NullMarked
package io.perdure.examples;

import org.jspecify.annotations.NullMarked;
