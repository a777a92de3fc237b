/**
 * The runs of this process's store: started, worked on, waited for, changed from outside, mended and removed. {@link
 * io.perdure.core.workflow.Workflows} is where to start. The worker loop itself is in {@code io.perdure.sdk.worker}; here
 * is what it works through.
 */
@NullMarked
package io.perdure.core.workflow;

import org.jspecify.annotations.NullMarked;
