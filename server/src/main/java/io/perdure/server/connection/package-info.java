/** The TCP side of the server: accepting connections, how many there may be, and how long each may be silent. */
@NullMarked
package io.perdure.server.connection;

import org.jspecify.annotations.NullMarked;
