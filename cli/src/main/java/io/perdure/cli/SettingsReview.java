package io.perdure.cli;

import io.perdure.core.store.Finding;
import io.perdure.sdk.InvalidValueException;
import io.perdure.server.Certificate;
import io.perdure.server.ConnectionPlaces;
import io.perdure.server.ServerOptions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * All that is wrong with the settings of a server, where starting one would tell of the first.
 *
 * @param sound what can be taken of them
 */
record SettingsReview(List<Finding> findings, Settings sound) {
    private static final String ABOUT = "settings";
    private static final String CONNECTIONS = "connections";

    /** Two that go together, and are looked at together. */
    private static final Set<Setting> TLS = EnumSet.of(Setting.TLS_CERTIFICATE, Setting.TLS_KEY);

    /** Looks at what the flag, the environment and a file say. */
    static SettingsReview of(Map<Setting, String> flags, Map<String, String> environment, @Nullable Path file) {
        List<Finding> findings = new ArrayList<>();
        Settings gathered = Settings.of(flags, environment, file, wrong -> findings.add(Finding.problem(ABOUT, wrong)));
        Set<Setting> sound = EnumSet.noneOf(Setting.class);
        gathered.places().keySet().forEach(setting -> {
            if (TLS.contains(setting) || isSound(gathered.only(setting::equals), findings)) {
                sound.add(setting);
            }
        });
        if (!isSound(gathered.only(TLS::contains), findings)) {
            sound.removeAll(TLS);
        }
        if (findings.isEmpty()) {
            findings.add(Finding.ok(ABOUT, told(gathered.places().values())));
        }
        Settings taken = gathered.only(sound::contains);
        findings.add(ofConnections(taken.options(StoreOption.DEFAULT)));
        return new SettingsReview(findings, taken);
    }

    /** Whether a server that is started here could have as many connections as it has use for. */
    private static Finding ofConnections(ServerOptions options) {
        try {
            ConnectionPlaces places = ConnectionPlaces.of(options);
            return places.shortage()
                    .orElseGet(() -> Finding.ok(
                            CONNECTIONS,
                            String.format(Locale.ROOT, "A server could have %,d at the same time.", places.count())));
        } catch (InvalidValueException e) {
            return Finding.problem(CONNECTIONS, e);
        }
    }

    private static boolean isSound(Settings some, List<Finding> findings) {
        try {
            ServerOptions options = some.options(StoreOption.DEFAULT);
            if (options.tls() != null) {
                Certificate.require(options.tls());
            }
            some.log();
            return true;
        } catch (InvalidValueException e) {
            findings.add(Finding.problem(ABOUT, e));
            return false;
        }
    }

    private static String told(Iterable<String> places) {
        String all = String.join(", ", places);
        return all.isEmpty() ? "None is given: the defaults hold." : "Each can be taken: " + all + ".";
    }
}
