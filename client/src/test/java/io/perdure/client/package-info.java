/** The client against servers that do not do as they should. */
@NullMarked
package io.perdure.client;

import org.jspecify.annotations.NullMarked;
