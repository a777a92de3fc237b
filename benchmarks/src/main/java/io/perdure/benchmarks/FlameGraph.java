package io.perdure.benchmarks;

import io.perdure.benchmarks.StackTree.Frame;
import java.util.Locale;

/**
 * Draws samples of stacks as a picture: the wider a frame, the more of the time was spent in it and in what it called, which lies on top of
 * it. The order from left to right is that of the names. The colour says whose code it is.
 */
final class FlameGraph {
    private static final double WIDTH = 1_200;
    private static final int FRAME_HEIGHT = 17;
    private static final int HEADER_HEIGHT = 64;
    private static final int MARGIN = 8;

    /** Frames that would be narrower are left out. */
    private static final double NARROWEST = 0.6;

    private static final double CHARACTER_WIDTH = 6.3;
    private static final int LEGEND_STEP = 190;

    private final Frame root;
    private final String title;
    private final int depth;
    private final StringBuilder svg = new StringBuilder();

    private FlameGraph(Frame root, String title) {
        this.root = root;
        this.title = title;
        this.depth = root.depth(Math.max(1, (long) Math.ceil(root.samples() * NARROWEST / WIDTH)));
    }

    /** An SVG of these samples. */
    static String draw(StackTree tree, String title) {
        return new FlameGraph(tree.root(), title).draw();
    }

    private String draw() {
        int height = HEADER_HEIGHT + depth * FRAME_HEIGHT + MARGIN;
        line(String.format(
                Locale.ROOT,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" font-family=\"monospace\" font-size=\"11\">",
                (int) WIDTH + 2 * MARGIN,
                height));
        line("<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>");
        line(String.format(Locale.ROOT, "<text x=\"%d\" y=\"22\" font-size=\"15\">%s</text>", MARGIN, escape(title)));
        legend();
        frame(root, MARGIN, 0);
        line("</svg>");
        return svg.toString();
    }

    private void legend() {
        double x = MARGIN;
        for (Whose whose : Whose.values()) {
            line(String.format(
                    Locale.ROOT,
                    "<rect x=\"%.0f\" y=\"34\" width=\"12\" height=\"12\" fill=\"%s\"/>",
                    x,
                    whose.colour()));
            line(String.format(Locale.ROOT, "<text x=\"%.0f\" y=\"44\">%s</text>", x + 18, escape(whose.text())));
            x += LEGEND_STEP;
        }
    }

    private void frame(Frame frame, double x, int level) {
        double width = WIDTH * frame.samples() / Math.max(1, root.samples());
        if (width < NARROWEST) {
            return;
        }
        int y = HEADER_HEIGHT + (depth - 1 - level) * FRAME_HEIGHT;
        line(String.format(
                Locale.ROOT,
                "<g><title>%s, %.1f %%</title>",
                escape(frame.name()),
                100.0 * frame.samples() / Math.max(1, root.samples())));
        line(String.format(
                Locale.ROOT,
                "<rect x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\" fill=\"%s\" stroke=\"#fff\" stroke-width=\".5\"/>",
                x,
                y,
                width,
                FRAME_HEIGHT - 1,
                Whose.of(frame.name()).colour()));
        String label = label(frame.name(), (int) ((width - 4) / CHARACTER_WIDTH));
        if (!label.isEmpty()) {
            line(String.format(Locale.ROOT, "<text x=\"%.1f\" y=\"%d\">%s</text>", x + 3, y + 12, escape(label)));
        }
        line("</g>");
        double childX = x;
        for (Frame child : frame.children()) {
            frame(child, childX, level + 1);
            childX += WIDTH * child.samples() / Math.max(1, root.samples());
        }
    }

    /** Class and method, as much of it as fits. */
    private static String label(String name, int characters) {
        String text = name.substring(name.lastIndexOf('.', Math.max(0, name.lastIndexOf('.') - 1)) + 1);
        if (text.length() <= characters) {
            return text;
        }
        return characters < 4 ? "" : text.substring(0, characters - 1) + "…";
    }

    private static String escape(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }

    private void line(String text) {
        svg.append(text).append('\n');
    }
}
