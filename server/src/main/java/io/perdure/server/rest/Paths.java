package io.perdure.server.rest;

import io.perdure.server.http.Percent;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Finds operations by path, part by part: a part that is written out goes before one that varies. */
final class Paths {
    private final Node root = new Node();

    private static final class Node {
        private final Map<String, Node> written = new HashMap<>();
        private final Map<String, Operation> operations = new TreeMap<>();
        private @Nullable Node varying;
    }

    /**
     * What is at a path.
     *
     * @param operations by method
     * @param parts what the path has for each part that varies, in order
     */
    record Found(Map<String, Operation> operations, List<String> parts) {
        /** The same parts by the names that an operation has for them. */
        Map<String, String> named(Operation operation) {
            Map<String, String> named = new HashMap<>();
            int at = 0;
            for (String part : Percent.parts(operation.path())) {
                if (isVarying(part)) {
                    named.put(part.substring(1, part.length() - 1), parts.get(at));
                    at++;
                }
            }
            return named;
        }
    }

    Paths(List<Operation> operations) {
        operations.forEach(this::add);
    }

    private void add(Operation operation) {
        Node node = root;
        for (String part : Percent.parts(operation.path())) {
            if (isVarying(part)) {
                node.varying = node.varying == null ? new Node() : node.varying;
                node = node.varying;
            } else {
                node = node.written.computeIfAbsent(part, _ -> new Node());
            }
        }
        if (node.operations.put(operation.method(), operation) != null) {
            throw new IllegalStateException("Two operations are " + operation.method() + " " + operation.path());
        }
    }

    /**
     * Returns what is at a path of a request, which may be anything at all. It is taken apart as it came and each part is decoded by itself, so that no
     * escape adds a part; {@code PD-609} if a part cannot be decoded.
     */
    Optional<Found> find(String rawPath) {
        if (!rawPath.startsWith("/")) {
            return Optional.empty();
        }
        Node node = root;
        List<String> parts = new ArrayList<>();
        for (String part : Percent.parts(rawPath)) {
            Node next = node.written.get(part);
            if (next == null && node.varying != null && !part.isEmpty()) {
                next = node.varying;
                parts.add(part);
            }
            if (next == null) {
                return Optional.empty();
            }
            node = next;
        }
        return node.operations.isEmpty() ? Optional.empty() : Optional.of(new Found(node.operations, parts));
    }

    private static boolean isVarying(String part) {
        return part.startsWith("{");
    }
}
