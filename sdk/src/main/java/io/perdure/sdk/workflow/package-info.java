/** What users write: workflows as plain code over a context of durable steps, sleeps and waits, or as named steps. */
@NullMarked
package io.perdure.sdk.workflow;

import org.jspecify.annotations.NullMarked;
