package io.perdure.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Follows a page to the letter: writes its files, runs its commands by bash, and compares what it sees with what the page shows. */
final class Reader implements AutoCloseable {
    private static final int PATIENCE_SECONDS = 120;
    private static final Pattern ID = Pattern.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");
    private static final Pattern VARIES =
            Pattern.compile(ID + "|\\d{4}-\\d{2}-\\d{2}T[0-9:.]+Z|[0-9:]+[.]\\d{3}|\\d+([.]\\d+)? m?s\\b");
    private static final String END = "\0";

    private final Map<String, String> environment;
    private final Map<String, String> instead;
    private final Path whereabouts;
    private Path folder;
    private List<String> said = List.of();
    private String lastScript = "";
    private String run = "";
    private @Nullable Process left;
    private BlockingQueue<String> heard = new LinkedBlockingQueue<>();

    /**
     * Begins in a folder.
     *
     * @param environment what the page asks to be set up before
     * @param instead what is written in place of what only the page's author has, such as a database
     */
    Reader(Path folder, Map<String, String> environment, Map<String, String> instead) throws IOException {
        this.folder = folder;
        this.environment = Map.copyOf(environment);
        this.instead = Map.copyOf(instead);
        this.whereabouts = Files.createTempFile("whereabouts", ".txt");
    }

    void follow(GuideStep step) throws IOException, InterruptedException {
        switch (step) {
            case GuideStep.WriteFile(Path file, String text) -> write(file, text);
            case GuideStep.EditFile edit -> edit(edit);
            case GuideStep.Run(String script) -> {
                lastScript = script;
                run(script);
            }
            case GuideStep.Leave(String script) -> {
                Process process = start(script);
                run = "";
                BlockingQueue<String> lines = new LinkedBlockingQueue<>();
                left = process;
                heard = lines;
                Thread.ofVirtual().start(() -> listen(process, lines));
            }
            case GuideStep.Says(List<String> lines) -> compare(said, lines);
            case GuideStep.SaysInTheEnd(List<String> lines) -> compareInTheEnd(lines);
            case GuideStep.SaysNext(List<String> lines) -> compare(hear(lines.size()), lines);
            case GuideStep.PressEnter() -> pressEnter();
            case GuideStep.Kill() -> kill();
            case GuideStep.Ends() -> assertThat(hear(1)).containsExactly(END);
            case GuideStep.NotRun(String reason) -> assertThat(reason).hasSizeGreaterThan(10);
        }
    }

    private void write(Path file, String text) throws IOException {
        Path place = folder.resolve(file);
        Files.createDirectories(place.getParent());
        Files.writeString(place, text);
    }

    private void edit(GuideStep.EditFile edit) throws IOException {
        Path place = folder.resolve(edit.file());
        String text = Files.readString(place);
        assertThat(text).as("%s before the edit", edit.file()).containsOnlyOnce(edit.before());
        Files.writeString(place, text.replace(edit.before(), own(edit.after())));
    }

    private String own(String text) {
        String changed = ID.matcher(text).replaceAll(run);
        for (Map.Entry<String, String> change : instead.entrySet()) {
            changed = changed.replace(change.getKey(), change.getValue());
        }
        return changed;
    }

    private Process start(String script) throws IOException {
        ProcessBuilder builder = new ProcessBuilder("bash", "-euo", "pipefail", "-c", own(script))
                .directory(folder.toFile())
                .redirectErrorStream(true);
        builder.environment().keySet().removeIf(name -> name.startsWith("PERDURE_") || name.startsWith("MAVEN_"));
        builder.environment().putAll(environment);
        return builder.start();
    }

    private void run(String script) throws IOException, InterruptedException {
        Process process = start(script + "\npwd -P >'" + whereabouts + "'\n");
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as("%s%n%s", script, output).isZero();
        folder = Path.of(Files.readString(whereabouts).strip());
        said = output.lines().toList();
        said.forEach(this::learn);
    }

    private void learn(String line) {
        Matcher id = ID.matcher(line);
        if (run.isEmpty() && id.find()) {
            run = id.group();
        }
    }

    private static void listen(Process process, BlockingQueue<String> lines) {
        try (BufferedReader reader = process.inputReader(StandardCharsets.UTF_8)) {
            reader.lines().forEach(lines::add);
            lines.add(process.waitFor() == 0 ? END : "exit code " + process.exitValue());
        } catch (IOException | InterruptedException e) {
            lines.add("cannot be heard: " + e);
        }
    }

    private List<String> hear(int lines) throws InterruptedException {
        List<String> came = new ArrayList<>();
        while (came.size() < lines) {
            String line = heard.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
            assertThat(line).as("after %s", came).isNotNull();
            came.add(line);
            learn(line);
        }
        return came;
    }

    private void pressEnter() throws IOException {
        OutputStream typed = Objects.requireNonNull(left).getOutputStream();
        typed.write('\n');
        typed.flush();
    }

    private void kill() {
        ProcessHandle killed = Objects.requireNonNull(left).toHandle();
        List<ProcessHandle> all = new ArrayList<>(killed.descendants().toList());
        all.add(killed);
        all.forEach(ProcessHandle::destroyForcibly);
        all.forEach(process -> process.onExit().join());
        left = null;
    }

    /** Ids, times and spans are others each time. */
    private static void compare(List<String> seen, List<String> shown) {
        assertThat(allLasting(seen)).as("%s", String.join("\n", seen)).containsExactlyElementsOf(allLasting(shown));
    }

    /** Runs the last command again until it says so: what it looks at happens a moment later. */
    private void compareInTheEnd(List<String> shown) throws IOException, InterruptedException {
        long began = System.nanoTime();
        while (!allLasting(said).equals(allLasting(shown))
                && System.nanoTime() - began < TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS)) {
            run(lastScript);
        }
        compare(said, shown);
    }

    private static List<String> allLasting(List<String> lines) {
        return lines.stream().map(Reader::lasting).toList();
    }

    private static String lasting(String line) {
        return VARIES.matcher(line).replaceAll("#").stripTrailing();
    }

    @Override
    public void close() {
        if (left != null) {
            kill();
        }
    }
}
