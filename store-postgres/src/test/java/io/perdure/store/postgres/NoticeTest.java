package io.perdure.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.core.store.Hint;
import io.perdure.sdk.id.QueueName;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.id.TenantId;
import java.util.HashSet;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NoticeTest {
    private static final UUID SENDER = UUID.fromString("0199aaaa-bbbb-4ccc-8ddd-eeeeffff0001");
    private static final TenantId ACME = new TenantId("acme-1");
    private static final RunId RUN = RunId.parse("0199aaaa-bbbb-7ccc-8ddd-eeeeffff0002");

    @Test
    void hintsComeBackAsTheyWere() {
        Set<Hint> hints = Set.of(
                new Hint.Ready(ACME, new QueueName("mail")),
                new Hint.Ready(ACME, new QueueName("mail.dlq")),
                new Hint.Ended(ACME, RUN),
                new Hint.Ready(TenantId.DEFAULT, new QueueName("__wf_order@12")));

        Notice notice = new Notice(SENDER, hints);

        assertThat(Notice.of(notice.text())).isEqualTo(notice);
    }

    @Test
    void aPayloadCanBeReadByPeople() {
        assertThat(new Notice(SENDER, Set.of(new Hint.Ready(ACME, new QueueName("mail")))).text())
                .isEqualTo("1 " + SENDER + " acme-1:mail:");
        assertThat(new Notice(SENDER, Set.of(new Hint.Ended(ACME, RUN))).text())
                .isEqualTo("1 " + SENDER + " acme-1::" + RUN);
    }

    @Test
    void whereThereIsTooMuchToTellItIsAnything() {
        Set<Hint> fits = new HashSet<>();
        while (new Notice(SENDER, fits).hints().size() < 200) {
            fits.add(new Hint.Ended(ACME, new RunId(UUID.randomUUID())));
        }
        Set<Hint> many = new HashSet<>(fits);
        for (int more = 0; more < 50; more++) {
            many.add(new Hint.Ended(ACME, new RunId(UUID.randomUUID())));
        }

        assertThat(Notice.of(new Notice(SENDER, fits).text()).hints()).isEqualTo(fits);
        String text = new Notice(SENDER, many).text();
        assertThat(text).hasSizeLessThan(Notice.MOST_BYTES);
        assertThat(Notice.of(text)).isEqualTo(new Notice(SENDER, Set.of(new Hint.Anything())));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "hello",
                "1",
                "1 me *",
                "1 0199aaaa-bbbb-4ccc-8ddd-eeeeffff0001",
                "2 0199aaaa-bbbb-4ccc-8ddd-eeeeffff0001 acme:mail:",
                "1 0199aaaa-bbbb-4ccc-8ddd-eeeeffff0001 acme:mail",
                "1 0199aaaa-bbbb-4ccc-8ddd-eeeeffff0001 ACME:mail:",
                "1 0199aaaa-bbbb-4ccc-8ddd-eeeeffff0001 acme:no queue:",
                "1 0199aaaa-bbbb-4ccc-8ddd-eeeeffff0001 acme:,:",
                "1 0199aaaa-bbbb-4ccc-8ddd-eeeeffff0001 acme::no-run",
                "1 0199aaaa-bbbb-4ccc-8ddd-eeeeffff0001 * *",
            })
    void whatWeDidNotWriteIsAnythingOfNobody(String payload) {
        assertThat(Notice.of(payload)).isEqualTo(new Notice(null, Set.of(new Hint.Anything())));
    }
}
