/** What happens to runs when processes die at the worst moments: engines over stores that can die, and what is asked of them. */
@NullMarked
package io.perdure.testkit.crash;

import org.jspecify.annotations.NullMarked;
