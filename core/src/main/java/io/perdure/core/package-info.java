/** The one public door of the embedded engine: {@link io.perdure.core.Perdure} opens a store and hands out what is in it. */
@NullMarked
package io.perdure.core;

import org.jspecify.annotations.NullMarked;
