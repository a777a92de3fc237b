/** What workers at the other end of HTTP need of the engine: runs to work on, and a place to say what became of them. */
@NullMarked
package io.perdure.server.worker;

import org.jspecify.annotations.NullMarked;
