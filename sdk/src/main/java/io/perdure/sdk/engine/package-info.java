/** The engine as its users see it, in this process or at the other end of HTTP. */
@NullMarked
package io.perdure.sdk.engine;

import org.jspecify.annotations.NullMarked;
