package io.perdure.sdk.history;

import io.perdure.sdk.Limits;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Writes the stack trace of an error, its causes and what it suppresses, as {@link Throwable} prints it, within a number of bytes.
 * {@link StackTraceReader} reads it.
 *
 * <p>Every error has a headline of its class and the beginning of its message, in one line, so that no message can forge a frame. Frames of
 * Perdure below the user's first one are folded into a line that counts them. If the text is too long, each error keeps its first frames and a
 * quarter as many of its last ones, which show the user's call below those of libraries. The headlines then share a quarter of the bytes.
 */
final class StackTraceText {
    private static final int MESSAGE_CHARACTERS = 512;
    private static final int CAUSES = Limits.defaults().values().errorCauses();
    private static final int SUPPRESSED = 8;

    /** Of how many frames of an error one is from the end. */
    private static final int SHARE_OF_LAST = 4;

    /** The headlines of a text that is too long get this share of its bytes. */
    private static final int SHARE_OF_HEADLINES = 4;

    /** A headline keeps this number of bytes, which is enough for a class name, however many headlines there are. */
    private static final int SHORTEST_HEADLINE = 80;

    private static final String ELLIPSIS = "…";
    private static final String CUT_OFF = "... the rest was left out";

    private final List<Section> sections = new ArrayList<>();
    private final Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    private int suppressed;

    private StackTraceText() {}

    /**
     * One line that stands for frames.
     *
     * @param frames the number of frames it stands for
     */
    private record Line(String text, int frames, int bytes) {
        Line(String text, int frames) {
            this(text, frames, utf8(text));
        }
    }

    /**
     * One error of the trace.
     *
     * @param depth the number of tabs before its headline
     */
    private record Section(int depth, String headline, List<Line> lines) {
        /** Appends this section with up to the given number of lines for frames. */
        void write(StringBuilder text, int most) {
            indent(text, depth).append(headline).append('\n');
            int last = lines.size() <= most ? 0 : most / SHARE_OF_LAST;
            int first = lines.size() <= most ? lines.size() : most - last;
            lines.subList(0, first)
                    .forEach(line -> indent(text, depth + 1).append(line.text()).append('\n'));
            int left = lines.subList(first, lines.size() - last).stream()
                    .mapToInt(Line::frames)
                    .sum();
            if (left > 0) {
                indent(text, depth + 1).append("... ").append(frames(left)).append(" left out\n");
            }
            lines.subList(lines.size() - last, lines.size())
                    .forEach(line -> indent(text, depth + 1).append(line.text()).append('\n'));
        }

        /** Returns an upper bound for the number of bytes that {@link #write} appends. */
        long bytes(int most) {
            long bytes = depth + utf8(headline) + 1L;
            int last = lines.size() <= most ? 0 : most / SHARE_OF_LAST;
            int first = lines.size() <= most ? lines.size() : most - last;
            for (int at = 0; at < lines.size(); at++) {
                if (at < first || at >= lines.size() - last) {
                    bytes += depth + 2 + lines.get(at).bytes();
                }
            }
            return first + last == lines.size() ? bytes : bytes + depth + "... 1000000000 frames left out".length() + 2;
        }

        /** Returns this section with a headline of up to the given number of bytes. */
        Section withHeadline(int mostBytes) {
            return new Section(depth, shortened(headline, mostBytes), lines);
        }

        private static StringBuilder indent(StringBuilder text, int tabs) {
            return text.repeat('\t', tabs);
        }
    }

    /** Returns the stack trace of an error; null if it has no frames and suppresses nothing, or if it may have no bytes. */
    static @Nullable String of(Throwable thrown, int mostBytes) {
        if (mostBytes == 0) {
            return null;
        }
        StackTraceText trace = new StackTraceText();
        trace.add(thrown, "", 0, 0, new StackTraceElement[0]);
        return trace.written(mostBytes);
    }

    /** Returns the stack trace of an error under a headline that it is the cause of. */
    static @Nullable String under(String headline, Throwable thrown, int mostBytes) {
        if (mostBytes == 0) {
            return null;
        }
        StackTraceText trace = new StackTraceText();
        trace.sections.add(new Section(0, oneLine(headline), List.of()));
        trace.add(thrown, "Caused by: ", 0, 1, new StackTraceElement[0]);
        return trace.written(mostBytes);
    }

    private void add(Throwable thrown, String label, int depth, int causes, StackTraceElement[] enclosing) {
        String headline = headline(thrown);
        if (!seen.add(thrown)) {
            sections.add(new Section(depth, label + "[CIRCULAR REFERENCE: " + headline + "]", List.of()));
            return;
        }
        StackTraceElement[] frames = ThrowableReader.stackTrace(thrown);
        sections.add(new Section(depth, label + headline, lines(frames, enclosing)));
        for (Throwable other : thrown.getSuppressed()) {
            if (suppressed == SUPPRESSED) {
                break;
            }
            suppressed++;
            add(other, "Suppressed: ", depth + 1, causes, frames);
        }
        Throwable cause = causes == CAUSES ? null : ThrowableReader.cause(thrown);
        if (cause != null) {
            add(cause, "Caused by: ", depth, causes + 1, frames);
        }
    }

    private static String headline(Throwable thrown) {
        String message = ThrowableReader.message(thrown);
        String type = ThrowableReader.type(thrown);
        return oneLine(message.isEmpty() ? type : type + ": " + message);
    }

    /** The beginning of a text, in one line and without characters that drive a terminal or have no UTF-8 form. */
    private static String oneLine(String text) {
        if (isPlain(text)) {
            return text;
        }
        StringBuilder line = new StringBuilder();
        int at = 0;
        while (at < text.length() && line.length() < MESSAGE_CHARACTERS) {
            int point = text.codePointAt(at);
            at += Character.charCount(point);
            boolean space = Character.isWhitespace(point) || point == '\u0085';
            if (space && !line.isEmpty() && line.charAt(line.length() - 1) == ' ') {
                continue;
            }
            boolean harmful = Character.isISOControl(point)
                    || (point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE);
            line.appendCodePoint(space ? ' ' : harmful ? '\uFFFD' : point);
        }
        return at < text.length() ? line + ELLIPSIS : line.toString();
    }

    /** Whether nothing has to be changed, as with nearly every frame. */
    private static boolean isPlain(String text) {
        boolean plain = text.length() <= MESSAGE_CHARACTERS;
        for (int at = 0; plain && at < text.length(); at++) {
            plain = text.charAt(at) > ' ' && text.charAt(at) < 0x7F;
        }
        return plain;
    }

    /** The frames of an error, without those that it shares with the error around it. */
    private static List<Line> lines(StackTraceElement[] frames, StackTraceElement[] enclosing) {
        int own = frames.length;
        int of = enclosing.length;
        while (own > 0 && of > 0 && frames[own - 1].equals(enclosing[of - 1])) {
            own--;
            of--;
        }
        List<Line> lines = folded(Arrays.asList(frames).subList(0, own));
        if (own < frames.length) {
            lines.add(new Line("... " + (frames.length - own) + " more", frames.length - own));
        }
        return lines;
    }

    private static List<Line> folded(List<StackTraceElement> frames) {
        List<Line> lines = new ArrayList<>();
        boolean below = false;
        int at = 0;
        while (at < frames.size()) {
            int ours = below ? ours(frames.subList(at, frames.size())) : 0;
            if (ours > 0) {
                lines.add(new Line("... " + frames(ours) + " of Perdure", ours));
                at += ours;
            } else {
                // A check of the JDK that Perdure calls is above the frames that show which call was rejected.
                below |= !isOurs(frames.get(at)) && !isOfTheJdk(frames.get(at));
                lines.add(new Line("at " + frame(frames.get(at)), 1));
                at++;
            }
        }
        return lines;
    }

    /** How many frames at the beginning are of Perdure, with those of the JDK between and, at the bottom of the stack, below them. */
    private static int ours(List<StackTraceElement> frames) {
        int ours = 0;
        int at = 0;
        while (at < frames.size() && (isOurs(frames.get(at)) || isOfTheJdk(frames.get(at)))) {
            at++;
            ours = isOurs(frames.get(at - 1)) ? at : ours;
        }
        return ours > 0 && at == frames.size() ? at : ours;
    }

    /** Whether a frame is of what runs the code of users. */
    private static boolean isOurs(StackTraceElement frame) {
        String type = frame.getClassName();
        return type.startsWith("io.perdure.sdk.worker.")
                || type.startsWith("io.perdure.sdk.workflow.")
                || type.startsWith("io.perdure.sdk.consumer.")
                || type.startsWith("io.perdure.sdk.environment.")
                || type.startsWith("io.perdure.core.workflow.");
    }

    /** Whether a frame is of the JDK. Libraries have packages in javax and com.sun too, so these frames are recognized by their module. */
    private static boolean isOfTheJdk(StackTraceElement frame) {
        String type = frame.getClassName();
        String module = frame.getModuleName();
        return type.startsWith("java.")
                || type.startsWith("jdk.")
                || type.startsWith("sun.")
                || (module != null && (module.startsWith("java.") || module.startsWith("jdk.")));
    }

    private static String frame(StackTraceElement frame) {
        String file = frame.getFileName() == null ? "Unknown Source" : frame.getFileName();
        String place = frame.getLineNumber() < 0 ? file : file + ":" + frame.getLineNumber();
        return oneLine(frame.getClassName() + "." + frame.getMethodName() + "("
                + (frame.isNativeMethod() ? "Native Method" : place) + ")");
    }

    private @Nullable String written(int mostBytes) {
        boolean bare = suppressed == 0
                && sections.stream().allMatch(section -> section.lines().isEmpty());
        if (bare) {
            return null;
        }
        if (bytes(sections, Integer.MAX_VALUE) <= mostBytes) {
            return text(sections, Integer.MAX_VALUE);
        }
        int headline = Math.max(SHORTEST_HEADLINE, mostBytes / SHARE_OF_HEADLINES / sections.size());
        List<Section> shorter =
                sections.stream().map(section -> section.withHeadline(headline)).toList();
        // If one frame for each error is too much already, the first errors keep theirs.
        return cut(text(shorter, Math.max(1, mostFrames(shorter, mostBytes))), mostBytes);
    }

    /** Returns the largest number of frames for each error with which all of them fit; 0 if one is too many. */
    private static int mostFrames(List<Section> sections, int mostBytes) {
        int fits = 0;
        int tooMany = 1
                + sections.stream()
                        .mapToInt(section -> section.lines().size())
                        .max()
                        .orElse(0);
        while (tooMany - fits > 1) {
            int most = (fits + tooMany) / 2;
            boolean fit = bytes(sections, most) <= mostBytes;
            fits = fit ? most : fits;
            tooMany = fit ? tooMany : most;
        }
        return fits;
    }

    private static long bytes(List<Section> sections, int most) {
        return sections.stream().mapToLong(section -> section.bytes(most)).sum();
    }

    private static String text(List<Section> sections, int most) {
        StringBuilder text = new StringBuilder();
        for (Section section : sections) {
            section.write(text, most);
        }
        return text.toString();
    }

    /** Returns the beginning of a line, up to the given number of bytes of UTF-8, with an ellipsis if something is missing. */
    private static String shortened(String line, int mostBytes) {
        if (utf8(line) <= mostBytes) {
            return line;
        }
        int room = mostBytes - utf8(ELLIPSIS);
        int end = 0;
        while (true) {
            int point = line.codePointAt(end);
            room -= utf8(Character.toString(point));
            if (room < 0) {
                return line.substring(0, end) + ELLIPSIS;
            }
            end += Character.charCount(point);
        }
    }

    /** Cuts a stack trace at the end of a line, so that it has up to the given number of bytes of UTF-8. */
    static String cut(String trace, int mostBytes) {
        if (trace.length() <= mostBytes / 3 || utf8(trace) <= mostBytes) {
            return trace;
        }
        int end = 0;
        int room = mostBytes - CUT_OFF.length() - 1;
        while (true) {
            int next = trace.indexOf('\n', end);
            if (next < 0) {
                break;
            }
            room -= utf8(trace.substring(end, next + 1));
            if (room < 0) {
                break;
            }
            end = next + 1;
        }
        return trace.substring(0, end) + CUT_OFF + "\n";
    }

    private static String frames(int count) {
        return count == 1 ? "1 frame" : count + " frames";
    }

    private static int utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }
}
