/** What the long tests of both stores share. */
@NullMarked
package io.perdure.store;

import org.jspecify.annotations.NullMarked;
