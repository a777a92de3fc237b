package io.perdure.testkit.workflow;

/** Recurses until the stack overflows. */
final class DeepRecursion extends Exception {
    private static final long serialVersionUID = 1L;
    private final int depth;

    DeepRecursion(int depth) {
        this.depth = depth;
    }

    StackOverflowError error() {
        try {
            throw new IllegalStateException("no overflow at " + sum(depth * 1_000));
        } catch (StackOverflowError e) {
            return e;
        }
    }

    static String fail() {
        return "no overflow at " + sum(100_000_000);
    }

    private static long sum(int count) {
        return count == 0 ? 0 : count + sum(count - 1);
    }
}
