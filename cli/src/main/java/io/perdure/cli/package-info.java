/**
 * The command line: one class per command, each of which prints its data as text for people or as JSON for programs.
 */
@NullMarked
package io.perdure.cli;

import org.jspecify.annotations.NullMarked;
