/** The demo: an order that goes on although its process is killed, and a judge who trusts only what the steps wrote down. */
@NullMarked
package io.perdure.cli.demo;

import org.jspecify.annotations.NullMarked;
