/** Where a run stands among the traces of its callers, in the words of W3C Trace Context, and without any library for it. */
@NullMarked
package io.perdure.sdk.trace;

import org.jspecify.annotations.NullMarked;
