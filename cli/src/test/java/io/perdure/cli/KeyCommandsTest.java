package io.perdure.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.core.Perdure;
import io.perdure.core.key.Verified;
import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.key.Role;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class KeyCommandsTest {
    private static final String NOBODY = "a".repeat(16);
    private static final String TOKEN = "pd_[a-z2-7]{16}_[A-Za-z0-9_-]{43}";

    private String store = "";
    private Path file = Path.of("");

    @BeforeEach
    void chooseStore(@TempDir Path folder) {
        file = folder.resolve("app.db");
        store = "jdbc:sqlite:" + file;
    }

    private Invocation key(String... args) {
        List<String> all = new ArrayList<>(List.of("key"));
        all.addAll(List.of(args));
        all.addAll(List.of("--store", store));
        return Invocation.of(all.toArray(String[]::new));
    }

    private JsonNode json(String... args) {
        List<String> all = new ArrayList<>(List.of(args));
        all.addAll(List.of("--format", "json"));
        Invocation invocation = key(all.toArray(String[]::new));
        assertThat(invocation.err()).isEmpty();
        return JsonMapper.shared().readTree(invocation.out());
    }

    private Verified verified(String token) {
        try (Perdure perdure = Perdure.open(store)) {
            return perdure.keys().verify(token);
        }
    }

    private static void assertFails(Invocation invocation, int exitCode, String start) {
        assertThat(invocation.err()).startsWith(start).hasLineCount(1);
        assertThat(invocation.exitCode()).isEqualTo(exitCode);
    }

    @Test
    void aKeyIsShownWhenItIsMadeAndOpensTheDefaultTenantToAClient() {
        Invocation made = key("create", "shop");

        assertThat(made.exitCode()).isZero();
        String token = made.out().lines().findFirst().orElseThrow();
        assertThat(token).matches(TOKEN);
        assertThat(made.out())
                .contains("it is not shown again", "client key of tenant default, and counts until it is revoked.")
                .contains("perdure key revoke " + token.substring(3, 19) + " --store ");
        Verified verified = verified(token);
        assertThat(verified.role()).isEqualTo(Role.CLIENT);
        assertThat(verified.tenant()).isEqualTo(TenantId.DEFAULT);
    }

    @Test
    void aKeyHasTheRoleTenantAndExpiryThatWereAskedFor() {
        JsonNode made = json("create", "workers", "--role", "worker", "--tenant", "acme", "--expires", "90d");

        Verified verified = verified(made.get("token").asString());
        assertThat(verified.role()).isEqualTo(Role.WORKER);
        assertThat(verified.tenant()).isEqualTo(new TenantId("acme"));
        assertThat(verified.key().value()).isEqualTo(made.get("id").asString());
        Instant created = Instant.parse(made.get("createdAt").asString());
        assertThat(Instant.parse(made.get("expiresAt").asString())).isEqualTo(created.plus(Duration.ofDays(90)));
        assertThat(made.get("state").asString()).isEqualTo("active");
        assertThat(key("create", "boss", "--role", "admin", "--expires", "1h").out())
                .containsPattern("admin key of tenant default, and counts until 20\\S+Z\\.");
    }

    @Test
    void keysAreListedWithoutTheirSecrets() {
        JsonNode shop = json("create", "shop");
        String workers = json("create", "workers", "--role", "worker", "--tenant", "acme", "--expires", "90d")
                .get("id")
                .asString();
        assertThat(key("revoke", workers).exitCode()).isZero();

        String id = shop.get("id").asString();
        String secret = shop.get("token").asString().substring(20);
        String listed = key("list").out();
        assertThat(listed)
                .containsPattern("ID +NAME +ROLE +TENANT +CREATED +EXPIRES +STATE")
                .containsPattern(id + " +shop +client +default +20\\S+Z +never +active\\R")
                .containsPattern(workers + " +workers +worker +acme +20\\S+Z +20\\S+Z +revoked\\R")
                .doesNotContain(secret);
        JsonNode both = json("list");
        assertThat(both.values())
                .extracting(listedKey -> listedKey.get("id").asString())
                .containsExactly(id, workers);
        assertThat(both.get(0).propertyNames()).containsExactly("id", "name", "role", "tenant", "createdAt", "state");
        assertThat(both.get(1).propertyNames())
                .containsExactly("id", "name", "role", "tenant", "createdAt", "expiresAt", "revokedAt", "state");
    }

    @Test
    void aKeyWhoseTimeIsOverIsListedAsExpired() {
        String id = json("create", "short", "--expires", "1ms").get("id").asString();

        // Its millisecond is over by the time that a command has opened the store.
        assertThat(key("list").out()).containsPattern(id + " +short .* expired\\R");
    }

    @Test
    void aKeyIsRevokedOnceAndTheSecondTimeThatIsSaid() {
        String id = json("create", "shop").get("id").asString();

        assertThat(key("revoke", id).out()).isEqualToIgnoringNewLines("Key " + id + " (shop) is revoked.");
        Invocation again = key("revoke", id);
        assertThat(again.out()).isEqualToIgnoringNewLines("Key " + id + " (shop) was revoked before.");
        assertThat(again.exitCode()).isZero();
        assertThat(json("revoke", id).get("state").asString()).isEqualTo("revoked");
    }

    @Test
    void aKeyThatIsNotThereCannotBeRevoked() {
        assertFails(key("revoke", NOBODY), 1, "PD-611 There is no key " + NOBODY + " in " + store + ". ");
    }

    @Test
    void whereThereAreNoKeysThatIsSaid() {
        assertThat(key("list").out())
                .startsWith("There are no keys in " + store + ".")
                .contains("perdure key create NAME --store ");
        assertThat(json("list").isEmpty()).isTrue();
    }

    @Test
    void wrongUsageIsToldAndLeavesNoStoreBehind() {
        assertFails(key("create"), 2, "PD-901 Missing required parameter: 'NAME'.");
        assertFails(key("create", ""), 2, "PD-001 Key name \"\" is not a valid name: ");
        assertFails(key("create", "x".repeat(129)), 2, "PD-001 Key name ");
        assertFails(key("create", "a", "--tenant", "A B"), 2, "PD-001 Tenant \"A B\" is not a valid name: ");
        assertFails(
                key("create", "a", "--role", "boss"),
                2,
                "PD-901 Invalid value for option '--role': expected client, worker, monitor or admin but was \"boss\".");
        assertFails(key("create", "a", "--expires", "soon"), 2, "PD-901 Invalid value for option '--expires': ");
        assertFails(key("create", "a", "--expires", "0s"), 2, "PD-007 A key that expires after PT0S ");
        assertFails(key("create", "a", "--expires", "3651d"), 2, "PD-007 ");
        assertFails(key("revoke", "nobody"), 2, "PD-006 A key's id has 16 letters");
        assertThat(Files.exists(file)).isFalse();
    }

    @Test
    void aWholeKeyThatIsGivenForItsIdIsNotPrinted() {
        String token = json("create", "shop").get("token").asString();

        assertThat(key("revoke", token).err()).startsWith("PD-006 ").doesNotContain(token.substring(20));
    }

    @Test
    void theCommandsHaveHelpOfTheirOwn() {
        assertThat(Invocation.of("key").out())
                .contains("Usage: perdure key", "create ", "list ", "revoke ", "Examples:");
        for (String command : List.of("create", "list", "revoke")) {
            assertThat(Invocation.of("key", command, "--help").out())
                    .contains("Usage: perdure key " + command, "--store", "--server", "--format");
        }
    }
}
