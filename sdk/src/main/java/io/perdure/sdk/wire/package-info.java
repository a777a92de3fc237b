/**
 * The written form of what a worker and a server say to each other, and of errors on their way back. Readers ignore members that they
 * do not know, so that one release of difference works, and are strict about what they need.
 */
@NullMarked
package io.perdure.sdk.wire;

import org.jspecify.annotations.NullMarked;
