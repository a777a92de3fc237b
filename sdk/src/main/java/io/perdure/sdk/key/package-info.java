/** API keys, as users see them: who may ask a server for what. Neither a key's secret nor its hash is in any of these but {@link io.perdure.sdk.key.NewKey}. */
@NullMarked
package io.perdure.sdk.key;

import org.jspecify.annotations.NullMarked;
