package io.perdure.architecture;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** The files of the repository, as they lie on disk; what is built or ignored is not among them. */
final class Checkout {
    private static final Set<String> SKIPPED = Set.of(".git", ".idea", ".vscode", ".settings", "target");

    private static final Path ROOT = findRoot();
    private static final List<TextFile> FILES = readAll();

    private Checkout() {}

    static Path root() {
        return ROOT;
    }

    /** Every file, by its path from the root with forward slashes. */
    static List<TextFile> files() {
        return FILES;
    }

    static List<TextFile> javaFiles() {
        return FILES.stream().filter(TextFile::isJava).toList();
    }

    static boolean exists(String path) {
        return FILES.stream().anyMatch(file -> file.path().equals(path));
    }

    static TextFile file(String path) {
        return FILES.stream()
                .filter(file -> file.path().equals(path))
                .findFirst()
                .orElseThrow(() -> new AssertionError("there is no file " + path));
    }

    private static Path findRoot() {
        Path folder = Path.of("").toAbsolutePath();
        while (!Files.exists(folder.resolve(".ci/run"))) {
            folder = folder.getParent();
            if (folder == null) {
                throw new IllegalStateException("run the tests from inside the checkout");
            }
        }
        return folder;
    }

    private static List<TextFile> readAll() {
        List<TextFile> files = new ArrayList<>();
        try {
            Files.walkFileTree(ROOT, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
                    return SKIPPED.contains(folder.getFileName().toString())
                            ? FileVisitResult.SKIP_SUBTREE
                            : FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                    if (attributes.isRegularFile()) {
                        String path = ROOT.relativize(file).toString().replace('\\', '/');
                        files.add(new TextFile(path, Files.readString(file)));
                    }
                    return FileVisitResult.CONTINUE;
                }
            });
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return List.copyOf(files);
    }
}
