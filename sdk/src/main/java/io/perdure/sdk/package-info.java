/**
 * What every part of Perdure shares: its errors and its limits. In the subpackages, users see {@code engine},
 * {@code workflow}, {@code run}, {@code queue} and {@code key}. {@code worker} and {@code consumer} work on runs and
 * messages, within an {@code environment}. {@code id}, {@code json}, {@code history} and {@code retry} are what all of these
 * are made of; {@code wire} is how it travels, {@code logging} and {@code trace} are how it shows.
 */
@NullMarked
package io.perdure.sdk;

import org.jspecify.annotations.NullMarked;
