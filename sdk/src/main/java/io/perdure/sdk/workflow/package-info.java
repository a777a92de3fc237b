/** What users write: workflows as plain code over a context of durable steps and sleeps. */
@NullMarked
package io.perdure.sdk.workflow;

import org.jspecify.annotations.NullMarked;
