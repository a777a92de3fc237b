/** Where log lines go, what they say of themselves, and how many of them there may be. */
@NullMarked
package io.perdure.sdk.logging;

import org.jspecify.annotations.NullMarked;
