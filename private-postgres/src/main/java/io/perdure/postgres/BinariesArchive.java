package io.perdure.postgres;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import org.tukaani.xz.XZInputStream;

/**
 * The compressed archive of the server's programs, and the folder it is unpacked to once per user and content: below the
 * temporary folder, because root's own cache is closed to {@code nobody}. Deleting it is harmless while no server runs.
 *
 * <p>Several processes may do this at once: each unpacks beside the place and renames; the first one wins.
 */
final class BinariesArchive {
    private static final int NAME_BYTES = 8;

    /** Written last, with the number of files: a cleaner of temporary folders may have taken some of them. */
    private static final String COUNT = "files";

    private BinariesArchive() {}

    /** Where below the parent the archive is unpacked, after doing so if need be. */
    static Path unpackedBelow(Path parent) throws IOException {
        byte[] archive = read(resource());
        Path fresh = Files.createTempDirectory(parent, "perdure-postgres-unpacking-");
        try {
            int user = Account.userId(fresh);
            Path place = parent.resolve("perdure-postgres-" + user + "-" + digest(archive));
            if (!isWhole(place, user)) {
                unpack(archive, fresh);
                moveTo(place, fresh, user);
            }
            return place;
        } finally {
            delete(fresh);
        }
    }

    private static String resource() {
        String system = System.getProperty("os.name").toLowerCase(Locale.ROOT).contains("mac") ? "darwin" : "linux";
        String processor = switch (System.getProperty("os.arch")) {
            case "amd64", "x86_64" -> "x86_64";
            case "aarch64" -> "arm_64";
            case String other -> other;
        };
        return "postgres-" + system + "-" + processor + ".txz";
    }

    private static byte[] read(String resource) throws IOException {
        try (InputStream in = BinariesArchive.class.getClassLoader().getResourceAsStream(resource)) {
            if (in == null) {
                throw new IllegalStateException("""
                        No Postgres for this machine: %s is not on the class path. Add the artifact of \
                        io.zonky.test.postgres that holds it, or use a server that is installed.""".formatted(resource));
            }
            return in.readAllBytes();
        }
    }

    private static String digest(byte[] archive) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(archive);
            return HexFormat.of().formatHex(digest, 0, NAME_BYTES);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java has SHA-256.", e);
        }
    }

    /** Whether it is all there, and by our own hand: in a folder open to all, others could have put it there. */
    private static boolean isWhole(Path place, int user) throws IOException {
        Path count = place.resolve(COUNT);
        if (!Files.exists(count)) {
            return false;
        }
        if (Account.userId(place) != user) {
            throw new IllegalStateException("%s belongs to somebody else. Remove it.".formatted(place));
        }
        return Files.readString(count).equals(countOf(place));
    }

    private static void unpack(byte[] archive, Path folder) throws IOException {
        Process tar =
                Command.start(List.of("tar", "-x", "-f", "-", "-C", folder.toString()), folder.resolve("tar.log"));
        try (OutputStream out = tar.getOutputStream();
                InputStream in = new XZInputStream(new ByteArrayInputStream(archive))) {
            in.transferTo(out);
        }
        if (tar.onExit().join().exitValue() != 0) {
            throw new IllegalStateException(
                    "tar ended with %s:\n%s".formatted(tar.exitValue(), Command.tail(folder.resolve("tar.log"))));
        }
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        Path count = Files.createFile(folder.resolve(COUNT));
        Files.writeString(count, countOf(folder));
    }

    private static void moveTo(Path place, Path fresh, int user) throws IOException {
        if (Files.exists(place)) {
            // Not whole. Moved, not emptied, so that nobody sees it shrink.
            Path aside = Files.createTempDirectory(place.getParent(), "perdure-postgres-aside-");
            Files.move(place, aside.resolve("old"), StandardCopyOption.ATOMIC_MOVE);
            delete(aside);
        }
        try {
            Files.move(fresh, place, StandardCopyOption.ATOMIC_MOVE);
        } catch (FileSystemException e) {
            if (!isWhole(place, user)) {
                throw e;
            }
        }
    }

    private static String countOf(Path folder) throws IOException {
        try (var files = Files.walk(folder)) {
            return String.valueOf(files.count());
        }
    }

    private static void delete(Path folder) {
        Command.run(List.of("rm", "-rf", folder.toString()));
    }
}
