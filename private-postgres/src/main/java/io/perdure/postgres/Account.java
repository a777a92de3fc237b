package io.perdure.postgres;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * Who the programs run as. Postgres and PgBouncer refuse to run as root, so root hands them and their folder to {@code nobody}.
 * Everybody else runs them as themselves.
 *
 * <p>{@code setpriv} does it because Debian counts it as essential and it becomes the program: the process that was started is
 * the server, with no shell or session of PAM between, and signals reach it.
 */
enum Account {
    OWN,
    NOBODY;

    /** Of user and group alike: nogroup where Debian names it, nobody elsewhere. */
    private static final int ID_OF_NOBODY = 65_534;

    private static final List<String> AS_NOBODY =
            List.of("setpriv", "--reuid=" + ID_OF_NOBODY, "--regid=" + ID_OF_NOBODY, "--clear-groups");

    /** Decides by the owner of a folder that this process has just made; Java does not tell the user's id otherwise. */
    static Account forMakerOf(Path folder) throws IOException {
        return userId(folder) == 0 ? NOBODY : OWN;
    }

    static int userId(Path file) throws IOException {
        return (int) Files.getAttribute(file, "unix:uid", LinkOption.NOFOLLOW_LINKS);
    }

    List<String> command(List<String> words) {
        return this == OWN
                ? words
                : Stream.concat(AS_NOBODY.stream(), words.stream()).toList();
    }

    /** Hands over a file or an empty folder of this process. */
    void give(Path file) throws IOException {
        if (this == NOBODY) {
            Files.setAttribute(file, "unix:gid", ID_OF_NOBODY);
            Files.setAttribute(file, "unix:uid", ID_OF_NOBODY);
        }
    }
}
