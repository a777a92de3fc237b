/** The archive as users have it: unpacked somewhere, and run. */
@NullMarked
package io.perdure.dist;

import org.jspecify.annotations.NullMarked;
