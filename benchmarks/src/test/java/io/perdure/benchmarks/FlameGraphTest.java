package io.perdure.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.StringReader;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

/** A picture shows each frame as wide as its share of the samples, on top of what called it. */
final class FlameGraphTest {
    private static final double WIDTH = 1_200;

    @Test
    void aFrameIsAsWideAsItsShare() throws Exception {
        StackTree tree = new StackTree();
        tree.add(List.of("io.perdure.A.run", "org.sqlite.B.step"));
        tree.add(List.of("io.perdure.A.run", "org.sqlite.B.step"));
        tree.add(List.of("io.perdure.A.run"));
        tree.add(List.of("java.C.park"));

        Document picture = parse(FlameGraph.draw(tree, "work"));

        assertThat(frame(picture, "all"))
                .satisfies(all -> assertThat(width(all)).isEqualTo(WIDTH));
        assertThat(width(frame(picture, "io.perdure.A.run"))).isEqualTo(WIDTH * 3 / 4);
        assertThat(width(frame(picture, "org.sqlite.B.step"))).isEqualTo(WIDTH / 2);
        assertThat(y(frame(picture, "org.sqlite.B.step"))).isLessThan(y(frame(picture, "io.perdure.A.run")));
        assertThat(x(frame(picture, "java.C.park"))).isEqualTo(x(frame(picture, "io.perdure.A.run")) + WIDTH * 3 / 4);
    }

    @Test
    void namesCannotBreakThePicture() throws Exception {
        StackTree tree = new StackTree();
        tree.add(List.of("io.perdure.A.<init>", "a & b"));

        Document picture = parse(FlameGraph.draw(tree, "1 < 2 & so on"));

        assertThat(frame(picture, "io.perdure.A.<init>")).isNotNull();
        assertThat(frame(picture, "a & b")).isNotNull();
    }

    @Test
    void samplesOfThisJvmNameTheMethodThatIsBusy() throws Exception {
        // Elsewhere than on Linux there are none, and the command says so.
        if (Profile.isPossible()) {
            StackTree tree = Profile.of(FlameGraphTest::keepBusy);

            assertThat(names(tree.root())).anyMatch(name -> name.endsWith("FlameGraphTest.keepBusy"));
        }
    }

    /**
     * Until this thread has had half a second of CPU time. It computes in Java: of a thread that asks the system for the time again and again, a JVM
     * that shares its cores gets next to no samples (0 to 5 of 250; of this one 73 to 112).
     */
    private static void keepBusy() {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        long end = threads.getCurrentThreadCpuTime() + 500_000_000;
        long sum = 1;
        while (threads.getCurrentThreadCpuTime() < end) {
            for (int i = 0; i < 200_000; i++) {
                sum = sum * 31 + i;
            }
        }
        assertThat(sum).isNotEqualTo(1);
    }

    private static List<String> names(StackTree.Frame frame) {
        List<String> names = new ArrayList<>();
        names.add(frame.name());
        frame.children().forEach(child -> names.addAll(names(child)));
        return names;
    }

    private static Document parse(String svg) throws Exception {
        return DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(new InputSource(new StringReader(svg)));
    }

    private static Element frame(Document picture, String name) {
        NodeList titles = picture.getElementsByTagName("title");
        for (int at = 0; at < titles.getLength(); at++) {
            if (titles.item(at).getTextContent().startsWith(name + ", ")) {
                Element group = (Element) titles.item(at).getParentNode();
                return (Element) group.getElementsByTagName("rect").item(0);
            }
        }
        throw new AssertionError("There is no frame " + name + ".");
    }

    private static double width(Element frame) {
        return Double.parseDouble(frame.getAttribute("width"));
    }

    private static double x(Element frame) {
        return Double.parseDouble(frame.getAttribute("x"));
    }

    private static double y(Element frame) {
        return Double.parseDouble(frame.getAttribute("y"));
    }
}
