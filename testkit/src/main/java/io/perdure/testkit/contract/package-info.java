/** The rules that every store holds, as named tests: a store extends {@code StoreContract} and gets all of them. */
@NullMarked
package io.perdure.testkit.contract;

import org.jspecify.annotations.NullMarked;
