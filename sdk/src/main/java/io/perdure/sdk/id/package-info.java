/**
 * The ids, names and keys by which everything is addressed. Each is a type of its own, checked when it is made, so that a
 * value which exists is a value every store can hold.
 */
@NullMarked
package io.perdure.sdk.id;

import org.jspecify.annotations.NullMarked;
