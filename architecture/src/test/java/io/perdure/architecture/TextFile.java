package io.perdure.architecture;

import java.util.List;

/**
 * One file of the checkout.
 *
 * @param path from the root, with forward slashes
 * @param text all of it
 */
record TextFile(String path, String text) {
    boolean isJava() {
        return path.endsWith(".java");
    }

    boolean isMain() {
        return path.contains("/src/main/");
    }

    /** The first folder: for a source file, its module. */
    String module() {
        int slash = path.indexOf('/');
        return slash < 0 ? "" : path.substring(0, slash);
    }

    String folder() {
        int slash = path.lastIndexOf('/');
        return slash < 0 ? "" : path.substring(0, slash);
    }

    String name() {
        return path.substring(path.lastIndexOf('/') + 1);
    }

    List<String> lines() {
        return text.lines().toList();
    }
}
