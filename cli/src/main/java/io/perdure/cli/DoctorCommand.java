package io.perdure.cli;

import io.perdure.core.store.Finding;
import io.perdure.core.store.Stores;
import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.RefusedException;
import io.perdure.sdk.environment.SystemEnvironment;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code perdure doctor}: looks everything over, and says what to do. */
@Command(
        name = "doctor",
        header = "Looks over settings, a store or server, and what waits there; says what to do. Changes nothing.",
        description = {
            "Each line is ok, a warning, or a problem, with what to do below it. The exit code is 0 where there is no",
            "problem. A store is neither made nor migrated; beside a SQLite file a small file is written, to measure how",
            "long a flush takes, and removed."
        },
        footer = {
            "Examples:",
            "  perdure doctor",
            "  perdure doctor --store jdbc:postgresql://db/app --config server.properties",
            "  perdure doctor --server https://perdure.internal:7450 --format json"
        })
final class DoctorCommand implements Runnable {
    private static final int LEVEL_WIDTH = 9;
    private static final int ABOUT_WIDTH = 14;

    private final Terminal terminal;

    @Mixin
    private WhereOption where = new WhereOption();

    @Option(
            names = "--config",
            paramLabel = "FILE",
            description = "The file with settings that a server is given. Without it: what PERDURE_CONFIG says.")
    private @Nullable Path config;

    @Mixin
    private FormatOption format = new FormatOption();

    DoctorCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public void run() {
        Map<String, List<Finding>> sections = sections();
        List<Finding> all = sections.values().stream().flatMap(List::stream).toList();
        long problems = count(all, Finding.Level.PROBLEM);
        long warnings = count(all, Finding.Level.WARNING);
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("problems", problems);
        shown.put("warnings", warnings);
        shown.put(
                "findings",
                sections.entrySet().stream()
                        .flatMap(section -> section.getValue().stream().map(finding -> json(section.getKey(), finding)))
                        .toList());
        format.print(terminal, shown, () -> {
            sections.forEach(this::print);
            terminal.out().println();
            terminal.out().println("Problems: %s. Warnings: %s.".formatted(problems, warnings));
        });
        if (problems > 0) {
            throw new RefusedException(
                    ErrorCode.PROBLEMS_FOUND,
                    problems == 1 ? "There is a problem." : "There are %s problems.".formatted(problems));
        }
    }

    private Map<String, List<Finding>> sections() {
        Map<String, List<Finding>> sections = new LinkedHashMap<>();
        Product product = Product.running();
        sections.put(
                "Program",
                List.of(
                        Finding.ok("perdure", product.perdure() + "."),
                        Finding.ok("java", "%s on %s.".formatted(product.java(), product.os()))));
        Map<Setting, String> flags = new EnumMap<>(Setting.class);
        where.storeFlag(terminal).ifPresent(flag -> flags.put(Setting.STORE, flag));
        SettingsReview settings = SettingsReview.of(flags, terminal.environment(), ServerOption.file(config, terminal));
        String server = where.server(terminal);
        if (server == null) {
            addStore(sections, settings);
        } else {
            sections.put("Settings", settings.findings());
            sections.put("Server " + server, ofServer(server));
        }
        return sections;
    }

    private void addStore(Map<String, List<Finding>> sections, SettingsReview settings) {
        String named = settings.sound().store();
        String url = named == null ? StoreOption.DEFAULT : named;
        StoreReview review = new StoreReview(url, settings.sound().options(url), new SystemEnvironment());
        List<Finding> found = review.ofStore();
        sections.put("Settings", settings.findings());
        sections.put("Store " + Stores.shown(url), found);
        sections.put("Work", review.ofWork(found, where.repeated()));
    }

    private List<Finding> ofServer(String server) {
        try {
            return new ServerReview(server, where.key(terminal), new SystemEnvironment().clock())
                    .findings(where.repeated());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return List.of(Finding.problem("server", "The look was broken off.", "Look again."));
        }
    }

    private static long count(List<Finding> findings, Finding.Level level) {
        return findings.stream().filter(finding -> finding.level() == level).count();
    }

    private static Map<String, Object> json(String section, Finding finding) {
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("section", section);
        shown.put("level", word(finding.level()));
        shown.put("about", finding.about());
        shown.put("found", finding.found());
        if (!finding.advice().isEmpty()) {
            shown.put("advice", finding.advice());
        }
        return shown;
    }

    private void print(String section, List<Finding> findings) {
        terminal.out().println(Escaped.text(section));
        for (Finding finding : findings) {
            terminal.out()
                    .println("  " + padded(word(finding.level()), LEVEL_WIDTH) + padded(finding.about(), ABOUT_WIDTH)
                            + Escaped.text(finding.found()));
            if (!finding.advice().isEmpty()) {
                terminal.out().println("  " + padded("", LEVEL_WIDTH + ABOUT_WIDTH) + Escaped.text(finding.advice()));
            }
        }
    }

    private static String word(Finding.Level level) {
        return level.name().toLowerCase(Locale.ROOT);
    }

    private static String padded(String text, int width) {
        return text + " ".repeat(Math.max(1, width - text.length()));
    }
}
