/**
 * The written form of all that travels between a server and its callers: REST, what workers and the server say to each other, and errors on
 * their way back. A request of REST is refused where it has a field that is not known, because that is a caller's mistake. Answers, and what
 * workers say, are read without what is not known, so that one release of difference works. All readers are strict about what they need.
 */
@NullMarked
package io.perdure.sdk.wire;

import org.jspecify.annotations.NullMarked;
