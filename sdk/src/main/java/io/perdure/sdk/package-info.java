/**
 * What every part of Perdure shares: its errors and its limits. The subpackages hold workflows, the worker that runs them, ids,
 * JSON values, the history of a run, retry policies and the environment an engine runs in.
 */
@NullMarked
package io.perdure.sdk;

import org.jspecify.annotations.NullMarked;
