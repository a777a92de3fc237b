package io.perdure.dist;

/** How a process ended, and what it said. */
record Answer(int exitCode, String out, String err) {}
