/** How a step that failed is tried again: how often, and after which delays. Decides; never waits. */
@NullMarked
package io.perdure.sdk.retry;

import org.jspecify.annotations.NullMarked;
