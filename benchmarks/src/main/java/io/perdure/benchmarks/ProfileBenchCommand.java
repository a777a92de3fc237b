package io.perdure.benchmarks;

import io.perdure.benchmarks.Figure.Unit;
import io.perdure.benchmarks.StackTree.Frame;
import io.perdure.cli.FormatOption;
import io.perdure.cli.Terminal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code perdure bench profile}: where the time goes, as a picture. */
@Command(
        name = "profile",
        header = "Draws where the CPU time of this process goes, as a flame graph.",
        description = {
            "Has the work done that was asked for, warmed up, and writes a picture (SVG) of the samples that",
            "the JVM takes of its Java threads every 2 ms of their CPU time. Native code, such as SQLite,",
            "counts for the method that called it. A Postgres server, the JVM's compiler and its",
            "garbage collector are not in it. On Linux only. Without --store it is sqlite."
        })
final class ProfileBenchCommand implements Runnable {
    private static final int LONGEST_SECONDS = 3_600;

    private final Terminal terminal;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private TargetOption target = new TargetOption();

    @Option(names = "--of", paramLabel = "WORK", required = true, description = "What is done: runs, or messages.")
    private String of = "";

    @Option(names = "--out", paramLabel = "FILE", required = true, description = "Where the picture is written.")
    private Path out = Path.of("");

    @Option(
            names = "--seconds",
            paramLabel = "N",
            defaultValue = "10",
            description = "For about how long it is watched (default: ${DEFAULT-VALUE}).")
    private int seconds;

    @Mixin
    private FormatOption format = new FormatOption();

    ProfileBenchCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public void run() {
        HotPath work = HotPath.named(of)
                .orElseThrow(() -> new ParameterException(
                        spec.commandLine(), "There is no work \"" + of + "\" to draw; there are runs and messages."));
        new OptionRange(1, LONGEST_SECONDS).require(spec, "--seconds", seconds);
        if (!Profile.isPossible()) {
            throw new ParameterException(
                    spec.commandLine(), "This JVM takes no samples by CPU time; a JDK 25 for Linux does.");
        }
        Path folder = out.toAbsolutePath().getParent();
        if (folder == null || !Files.isDirectory(folder)) {
            throw new ParameterException(spec.commandLine(), "--out " + out + " is in no folder that there is.");
        }
        try (Target measured = target.open(TargetOption.SQLITE)) {
            new Progress(terminal).accept(work.text() + " ...");
            StackTree tree = work.profile(measured.fresh(), Pace.of(Duration.ofSeconds(seconds)));
            Files.writeString(out, FlameGraph.draw(tree, title(work)));
            FiguresReport report = report(measured, tree);
            format.print(terminal, report.json(), () -> report.print(terminal));
        } catch (IOException e) {
            throw new ParameterException(spec.commandLine(), "--out " + out + " cannot be written: " + e, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("The benchmark was interrupted.", e);
        }
    }

    private String title(HotPath work) {
        return "CPU time of the process: " + work.text() + ", "
                + (target.name(TargetOption.SQLITE).equals(TargetOption.SQLITE) ? "SQLite" : "Postgres");
    }

    private FiguresReport report(Target measured, StackTree tree) {
        Map<Whose, Long> own = new EnumMap<>(Whose.class);
        tally(tree.root(), own);
        long all = Math.max(1, tree.root().samples());
        List<Figure> figures = own.entrySet().stream()
                .map(entry -> Figure.of(
                        entry.getKey().name().toLowerCase(Locale.ROOT) + "_percent",
                        "in code of " + entry.getKey().text() + ", percent",
                        Unit.NUMBER,
                        100.0 * entry.getValue() / all))
                .toList();
        return new FiguresReport(
                Machine.describe(measured), figures, tree.root().samples() + " samples, drawn in " + out + ".");
    }

    private static void tally(Frame frame, Map<Whose, Long> own) {
        if (frame.own() > 0) {
            own.merge(Whose.of(frame.name()), frame.own(), Long::sum);
        }
        frame.children().forEach(child -> tally(child, own));
    }
}
