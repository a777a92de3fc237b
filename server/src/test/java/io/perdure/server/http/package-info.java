/** Errors and bodies as callers see them. */
@NullMarked
package io.perdure.server.http;

import org.jspecify.annotations.NullMarked;
