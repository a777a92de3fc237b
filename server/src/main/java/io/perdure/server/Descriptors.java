package io.perdure.server;

import com.sun.management.UnixOperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/**
 * The file descriptors of this process. Each connection takes one, and so does each file.
 *
 * @param limit the number of descriptors that the process may have; {@link Long#MAX_VALUE} if the system has no limit
 * @param open the number of descriptors that it has now
 */
public record Descriptors(long limit, long open) {
    /** Descriptors that stay free for files and for connections to a database, besides those open at the start. */
    private static final long SPARE = 128;

    /** Returns those of this process, as they are now. */
    public static Descriptors now() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean system
                ? new Descriptors(system.getMaxFileDescriptorCount(), system.getOpenFileDescriptorCount())
                : new Descriptors(Long.MAX_VALUE, 0);
    }

    /** Returns the number of connections that this process can have without running out of descriptors; 0 or less if there is room for none. */
    public long connections() {
        return limit - open - SPARE;
    }

    /** Returns the limit under which a process such as this one could have the given number of connections. */
    public long limitFor(int connections) {
        return connections + open + SPARE;
    }
}
