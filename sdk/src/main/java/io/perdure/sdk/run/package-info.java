/** Runs as their users see them: how they are started, found, followed and put right, wherever the engine is. */
@NullMarked
package io.perdure.sdk.run;

import org.jspecify.annotations.NullMarked;
