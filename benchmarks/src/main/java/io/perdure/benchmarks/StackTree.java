package io.perdure.benchmarks;

import java.util.Collection;
import java.util.List;
import java.util.TreeMap;

/** Samples of stacks, laid over each other: a frame has those that were taken in it and in what it called. */
final class StackTree {
    private final Frame root = new Frame("all");

    /** Adds a sample of this stack, the outermost frame first. */
    void add(List<String> stack) {
        Frame at = root;
        at.samples++;
        for (String name : stack) {
            at = at.children.computeIfAbsent(name, Frame::new);
            at.samples++;
        }
        at.own++;
    }

    Frame root() {
        return root;
    }

    /** A place in the code, reached by one way. */
    static final class Frame {
        private final String name;
        private final TreeMap<String, Frame> children = new TreeMap<>();
        private long samples;
        private long own;

        private Frame(String name) {
            this.name = name;
        }

        String name() {
            return name;
        }

        /** Those taken here and in what was called from here. */
        long samples() {
            return samples;
        }

        /** Those taken in this very frame. */
        long own() {
            return own;
        }

        /** What was called from here, by name. */
        Collection<Frame> children() {
            return children.values();
        }

        /** How many frames lie above each other from here on, this one included, leaving out those with fewer samples. */
        int depth(long least) {
            return 1
                    + children.values().stream()
                            .filter(child -> child.samples >= least)
                            .mapToInt(child -> child.depth(least))
                            .max()
                            .orElse(0);
        }
    }
}
