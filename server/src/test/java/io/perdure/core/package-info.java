/** An engine over a store of the tests' own, for the tests of the server. */
@NullMarked
package io.perdure.core;

import org.jspecify.annotations.NullMarked;
