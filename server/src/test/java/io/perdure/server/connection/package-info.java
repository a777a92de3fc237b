@NullMarked
package io.perdure.server.connection;

import org.jspecify.annotations.NullMarked;
