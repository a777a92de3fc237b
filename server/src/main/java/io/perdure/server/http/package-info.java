/** What every route needs: bounded bodies, problem documents, and who is asking. */
@NullMarked
package io.perdure.server.http;

import org.jspecify.annotations.NullMarked;
