/** Opens the client's workers to tests of the server. */
@NullMarked
package io.perdure.client;

import org.jspecify.annotations.NullMarked;
