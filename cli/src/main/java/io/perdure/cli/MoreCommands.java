package io.perdure.cli;

import java.util.List;

/**
 * Commands from another jar. One on the class path that names an implementation for {@link java.util.ServiceLoader} gets them
 * into {@code perdure}, beside those that are always there.
 */
public interface MoreCommands {
    /** Objects annotated with picocli's {@code Command}, which read from and print to this terminal. */
    List<Object> commands(Terminal terminal);
}
