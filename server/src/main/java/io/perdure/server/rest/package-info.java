/** The engine as REST: one table of operations, what each does, and the document that tells of them. */
@NullMarked
package io.perdure.server.rest;

import org.jspecify.annotations.NullMarked;
