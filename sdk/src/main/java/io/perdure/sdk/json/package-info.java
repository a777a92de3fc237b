/**
 * JSON as Perdure stores it: text that is kept to the letter, checked once when it enters, and taken apart without being
 * rewritten.
 */
@NullMarked
package io.perdure.sdk.json;

import org.jspecify.annotations.NullMarked;
