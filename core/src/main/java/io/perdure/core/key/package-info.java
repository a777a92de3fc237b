/** API keys: made once, kept as hashes, and asked of whoever comes from outside. {@link io.perdure.core.key.ApiKeys} is the door. */
@NullMarked
package io.perdure.core.key;

import org.jspecify.annotations.NullMarked;
