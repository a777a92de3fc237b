package io.perdure.benchmarks;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import jdk.jfr.EventType;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordedMethod;
import jdk.jfr.consumer.RecordedStackTrace;
import jdk.jfr.consumer.RecordedThread;
import jdk.jfr.consumer.RecordingFile;
import org.jspecify.annotations.Nullable;

/**
 * Where the Java threads of this process spent their CPU time while something ran, by the samples that the JVM takes of itself. A call into
 * native code counts for the Java method that made it. Threads of the JVM's own, its compiler's and its collector's, are not in it.
 */
final class Profile {
    /** Of CPU time of a thread, between two samples of it. */
    private static final Duration EVERY = Duration.ofMillis(2);

    private static final String SAMPLE = "jdk.CPUTimeSample";

    /** What makes a name one of many of a kind: the number of a thread, of a hidden class or of one without a name. */
    private static final Pattern NUMBERS = Pattern.compile("[./]0x[0-9a-f]+|\\d+");

    private final Recording recording = new Recording();

    private Profile() {}

    /** Whether this JVM can take such samples: one for Linux can. */
    static boolean isPossible() {
        return FlightRecorder.getFlightRecorder().getEventTypes().stream()
                .map(EventType::getName)
                .anyMatch(SAMPLE::equals);
    }

    /** Samples while something runs. */
    static StackTree of(Stopwatch.Wait work) throws InterruptedException {
        Profile profile = new Profile();
        try (Recording recording = profile.recording) {
            recording.enable(SAMPLE).with("throttle", EVERY.toMillis() + "ms").withStackTrace();
            recording.start();
            work.run();
            recording.stop();
            return profile.read();
        }
    }

    private StackTree read() {
        StackTree tree = new StackTree();
        Path file = null;
        try {
            file = Files.createTempFile("perdure-profile-", ".jfr");
            recording.dump(file);
            try (RecordingFile events = new RecordingFile(file)) {
                while (events.hasMoreEvents()) {
                    stack(events.readEvent()).ifPresent(tree::add);
                }
            }
            return tree;
        } catch (IOException e) {
            throw new UncheckedIOException("The samples cannot be read.", e);
        } finally {
            delete(file);
        }
    }

    private static void delete(@Nullable Path file) {
        try {
            if (file != null) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("The samples cannot be removed.", e);
        }
    }

    /** Outermost first, under the kind of thread; none where the JVM could not walk the stack. */
    private static Optional<List<String>> stack(RecordedEvent event) {
        RecordedStackTrace trace = event.getStackTrace();
        if (trace == null || trace.getFrames().isEmpty()) {
            return Optional.empty();
        }
        List<String> frames = new ArrayList<>();
        for (RecordedFrame frame : trace.getFrames().reversed()) {
            // The class that the JVM makes for a lambda only calls the method that it is.
            if (!frame.getMethod().getType().getName().contains("$$Lambda")) {
                frames.add(name(frame.getMethod()));
            }
        }
        if (frames.isEmpty()) {
            return Optional.empty();
        }
        List<String> stack = new ArrayList<>();
        stack.add(threads(event.getThread()));
        stack.addAll(frames.subList(plumbing(frames), frames.size()));
        return Optional.of(stack);
    }

    /** How many frames are only the way on which the JDK comes to run somebody's code. */
    private static int plumbing(List<String> frames) {
        for (int at = 0; at < frames.size(); at++) {
            if (Whose.of(frames.get(at)) != Whose.JAVA) {
                return at;
            }
        }
        return 0;
    }

    private static String name(RecordedMethod method) {
        String type = NUMBERS.matcher(method.getType().getName()).replaceAll("");
        return type + "." + method.getName();
    }

    private static String threads(@Nullable RecordedThread thread) {
        if (thread == null) {
            return "threads without a name";
        }
        if (thread.isVirtual()) {
            return "virtual threads";
        }
        String name = thread.getJavaName();
        return name == null ? "threads without a name" : NUMBERS.matcher(name).replaceAll("#") + " thread";
    }
}
