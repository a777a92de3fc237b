/**
 * The reference model of a store: every rule written as plainly as it can be said, one class to each group of rules. It
 * keeps nothing beyond its process. Real stores are compared with it, call by call.
 */
@NullMarked
package io.perdure.core.store.memory;

import org.jspecify.annotations.NullMarked;
