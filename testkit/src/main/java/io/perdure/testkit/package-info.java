/** What a store is tested with: a clock that tests move, and the handle by which suites open the store under test. */
@NullMarked
package io.perdure.testkit;

import org.jspecify.annotations.NullMarked;
