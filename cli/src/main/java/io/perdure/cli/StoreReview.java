package io.perdure.cli;

import io.perdure.core.key.ApiKeys;
import io.perdure.core.store.Finding;
import io.perdure.core.store.Store;
import io.perdure.core.store.Stores;
import io.perdure.sdk.InvalidValueException;
import io.perdure.sdk.Limits;
import io.perdure.sdk.PerdureException;
import io.perdure.sdk.environment.Environment;
import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.key.ApiKey;
import io.perdure.server.Exposure;
import io.perdure.server.ServerOptions;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Looks a store over, then what is in it. It is opened for that only where opening would change nothing. */
record StoreReview(String url, ServerOptions options, Environment environment) {
    /** What opening a store would bring in order, and is left to whoever opens it on purpose. */
    private static final Set<String> MENDED_BY_OPENING = Set.of("schema", "journal");

    List<Finding> ofStore() {
        return StoreOption.found(url, store -> Stores.examine(store, environment));
    }

    /**
     * What is in a store about which this was found.
     *
     * @param where what to add to a command so that it finds the same data
     */
    List<Finding> ofWork(List<Finding> found, String where) {
        if (found.stream().anyMatch(StoreReview::keepsClosed)) {
            return List.of(Finding.warning(
                    "work", "Not looked at, because of what was found above.", "Look again when that is in order."));
        }
        List<Finding> findings = new ArrayList<>();
        try (Store store = Stores.open(url, environment, Limits.defaults())) {
            findings.add(
                    exposure(new ApiKeys(store, environment, Limits.defaults().keys())));
            Set<TenantId> tenants = Stream.concat(
                            Stream.of(TenantId.DEFAULT), store.keys().stream().map(ApiKey::tenant))
                    .collect(Collectors.toCollection(LinkedHashSet::new));
            tenants.forEach(tenant -> findings.addAll(Workload.of(store, tenant).findings(where)));
        } catch (PerdureException e) {
            findings.add(Finding.problem("work", e));
        }
        return findings;
    }

    private static boolean keepsClosed(Finding finding) {
        return switch (finding.level()) {
            case OK -> false;
            case WARNING -> MENDED_BY_OPENING.contains(finding.about());
            // A server that does not wait for its disk answers all the same.
            case PROBLEM -> !finding.about().equals("durability");
        };
    }

    private Finding exposure(ApiKeys keys) {
        try {
            Exposure.require(options, keys);
            return Finding.ok(
                    "exposure",
                    Exposure.isReachedFromHereOnly(options)
                            ? "Only this machine can reach a server with these settings."
                            : "Others can reach a server at %s; there is a key, and TLS or a proxy."
                                    .formatted(options.host()));
        } catch (InvalidValueException e) {
            return Finding.problem(
                    "exposure",
                    e.code().code() + " " + e.what(),
                    "Make a key with perdure key create, and name a certificate or say --behind-proxy: docs/reference/server.md.");
        }
    }
}
