/** Workers over real HTTP, on real stores, through connections that fail. */
@NullMarked
package io.perdure.server.worker;

import org.jspecify.annotations.NullMarked;
