package io.perdure.architecture;

import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A line that must not occur. The patterns are written so that they do not match their own source.
 *
 * @param name what the rule is about, and what to do instead
 * @param files where it holds
 * @param forbidden what no line may contain
 * @param sample a line that it rejects
 */
record TidyRule(String name, Predicate<TextFile> files, Pattern forbidden, String sample) {
    private static final Set<String> PRINTING_MODULES = Set.of("cli", "examples", "benchmarks", "testkit");
    private static final Set<String> TEST_MODULES = Set.of("testkit", "examples", "benchmarks");
    private static final Predicate<TextFile> EVERYWHERE = file -> true;
    private static final Predicate<TextFile> JAVA = TextFile::isJava;
    private static final Predicate<TextFile> OFFENDERS = file -> file.path().contains("/architecture/offenders/");

    static final List<TidyRule> ALL = List.of(
            rule("finish it or open an issue", EVERYWHERE, "\\b(TO[D]O|FIX[M]E|X[X]X)\\b", "// TO" + "DO later"),
            rule(
                    "tests wait for what happens, not for time",
                    JAVA.and(OFFENDERS.negate()),
                    "\\bThread[.]sleep\\b",
                    "Thread" + ".sleep(10);"),
            rule("rethrow it, or report it with its code", JAVA, "printStackTrace[(][)]", "e.printStack" + "Trace();"),
            rule(
                    "a test that may be skipped is no test",
                    JAVA,
                    "@(Dis|En)abled(\\w*)\\b|\\bassum(e|ing)(True|False|That|NoException\\w*)\\b|TestAborted[E]xception",
                    "@Dis" + "abled(\"flaky\")"),
            rule(
                    "Logs says where lines go",
                    JAVA.and(file -> file.isMain() && !file.path().endsWith("/sdk/logging/Logs.java")),
                    "\\b(System|LoggerFactory)[.]getLogger\\b",
                    "System" + ".getLogger(\"io.perdure\");"),
            rule("indent with spaces", EVERYWHERE, "\\t", "\tint x;"),
            rule(
                    "print only where someone reads it",
                    JAVA.and(file -> !PRINTING_MODULES.contains(file.module())),
                    "\\bSystem[.]out\\b",
                    "System" + ".out.println();"),
            rule(
                    "say Locale.ROOT: some locales have digits of their own",
                    JAVA.and(file -> file.isMain() && !TEST_MODULES.contains(file.module())),
                    "^(?!.*Locale[.]ROOT).*%,?[d]\\b",
                    "\"{1,%" + "d}\".formatted(48)"),
            rule(
                    "the user's settings choose the registry",
                    EVERYWHERE,
                    "repo1?[.]maven[.]|(oss|central)[.]sonatype|registry[.]npmjs|deb[.]debian|plugins[.]gradle[.]org",
                    "https://repo1" + ".maven" + ".org/maven2"),
            rule(
                    "paths of one machine are of no use on another",
                    file -> !file.path().equals("scripts/find-jdk"),
                    "(?<![\\w.$}-])/(usr/lib/[j]vm|[h]ome|[r]oot|[U]sers|[w]ork|[t]mp)/",
                    "cd /ho" + "me/me/perdure"));

    private static TidyRule rule(String name, Predicate<TextFile> files, String forbidden, String sample) {
        return new TidyRule(name, files, Pattern.compile(forbidden), sample);
    }

    Stream<String> violations(TextFile file) {
        if (!files.test(file)) {
            return Stream.empty();
        }
        List<String> lines = file.lines();
        return IntStream.range(0, lines.size())
                .filter(index -> forbidden.matcher(lines.get(index)).find())
                .mapToObj(index ->
                        file.path() + ":" + (index + 1) + " " + lines.get(index).strip() + " (" + name + ")");
    }

    @Override
    public String toString() {
        return name;
    }
}
