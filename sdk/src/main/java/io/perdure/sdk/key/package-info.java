/** Keys that a server admits callers by, and what each kind of them may do. */
@NullMarked
package io.perdure.sdk.key;

import org.jspecify.annotations.NullMarked;
