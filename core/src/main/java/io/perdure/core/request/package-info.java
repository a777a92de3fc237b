/** Requests that may be sent again: noted before they are done, and answered as the first time. {@link io.perdure.core.request.Requests} is the door. */
@NullMarked
package io.perdure.core.request;

import org.jspecify.annotations.NullMarked;
