/** Starts real servers and hurts them. */
@NullMarked
package io.perdure.postgres;

import org.jspecify.annotations.NullMarked;
