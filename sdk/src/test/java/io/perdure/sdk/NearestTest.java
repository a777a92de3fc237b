package io.perdure.sdk;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class NearestTest {
    private static final List<String> KNOWN = List.of("limit", "cursor", "status", "since", "applicationName");

    @Test
    void aSlipOfTheFingerIsSeenThrough() {
        assertThat(Nearest.to("limt", KNOWN)).contains("limit");
        assertThat(Nearest.to("lmiit", KNOWN)).contains("limit");
        assertThat(Nearest.to("statuss", KNOWN)).contains("status");
        assertThat(Nearest.to("applicationname", KNOWN)).contains("applicationName");
    }

    @Test
    void nothingIsGuessed() {
        assertThat(Nearest.to("zzz", KNOWN)).isEmpty();
        assertThat(Nearest.to("", KNOWN)).isEmpty();
        assertThat(Nearest.to("limit", List.of())).isEmpty();
        assertThat(Nearest.to("x".repeat(1_000_000), KNOWN)).isEmpty();
    }

    @Test
    void anAbbreviationIsSeenThroughIfItCanBeOneThingOnly() {
        assertThat(Nearest.to("app", KNOWN)).contains("applicationName");
        assertThat(Nearest.to("APPLICATION", KNOWN)).contains("applicationName");
        assertThat(Nearest.to("tls", List.of("tls-key", "tls-certificate"))).isEmpty();
        assertThat(Nearest.to("tls-cert", List.of("tls-key", "tls-certificate")))
                .contains("tls-certificate");
        assertThat(Nearest.to("ap", KNOWN)).as("too short").isEmpty();
        assertThat(Nearest.to("", List.of("limit"))).isEmpty();
    }

    @Test
    void amongEquallyNearOnesTheOneThatBeginsAlikeIsMeant() {
        assertThat(Nearest.to("sincf", List.of("tincf", "sincg"))).contains("sincg");
    }
}
