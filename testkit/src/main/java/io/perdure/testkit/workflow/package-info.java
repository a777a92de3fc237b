/** What workflows promise over any store, as named tests through the public API: a store extends {@code WorkflowContract}. */
@NullMarked
package io.perdure.testkit.workflow;

import org.jspecify.annotations.NullMarked;
