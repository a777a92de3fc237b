/**
 * The rules of the house, each with planted offenders that prove it can fail.
 */
@NullMarked
package io.perdure.architecture;

import org.jspecify.annotations.NullMarked;
