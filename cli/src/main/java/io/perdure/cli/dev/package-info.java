/** The workflows of {@code perdure dev}: small, and each shows one thing. */
@NullMarked
package io.perdure.cli.dev;

import org.jspecify.annotations.NullMarked;
