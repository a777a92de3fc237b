package io.perdure.sdk.id;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.InvalidValueException;
import java.util.UUID;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NamesTest {
    @ParameterizedTest
    @ValueSource(strings = {"", "Onboard", "on-board", "a b", "é", "a\n", "\u0000", "../x", "'; drop table run; --"})
    void namesOutsideTheirAlphabetAreRefused(String name) {
        assertRefused(ErrorCode.INVALID_NAME, () -> new WorkflowName(name));
        assertRefused(ErrorCode.INVALID_NAME, () -> new QueueName(name));
        assertThatThrownBy(() -> new StepName(name + " ")).isInstanceOf(InvalidValueException.class);
    }

    @Test
    void namesAreBoundedInLength() {
        assertThat(new WorkflowName("a".repeat(48)).value()).hasSize(48);
        assertRefused(ErrorCode.INVALID_NAME, () -> new WorkflowName("a".repeat(49)));
        assertThat(new StepName("a".repeat(128)).value()).hasSize(128);
        assertRefused(ErrorCode.INVALID_NAME, () -> new StepName("a".repeat(129)));
        assertRefused(ErrorCode.INVALID_NAME, () -> new EventName("a".repeat(129)));
        assertRefused(ErrorCode.INVALID_NAME, () -> new QueueName("a".repeat(49)));
        assertRefused(ErrorCode.INVALID_NAME, () -> new TenantId("a".repeat(49)));
    }

    @Test
    void theMessageShowsTheValueAndTheRuleAndStaysShort() {
        assertThatThrownBy(() -> new WorkflowName("On\nboard"))
                .hasMessage("PD-001 Workflow name \"On\uFFFDboard\" is not a valid name: it must match [a-z0-9_]{1,48}."
                        + " Use the characters and length that the message states.");
        assertThatThrownBy(() -> new WorkflowName("x".repeat(1_000_000)))
                .satisfies(e -> assertThat(e.getMessage()).hasSizeLessThan(300));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a\u0000b", "a\nb", "\ud800", "a\u0085"})
    void keysThatADatabaseCouldNotHoldAreRefused(String key) {
        assertRefused(ErrorCode.INVALID_KEY, () -> new IdempotencyKey(key));
        assertRefused(ErrorCode.INVALID_KEY, () -> new GroupKey(key));
    }

    @Test
    void keysAreFreeTextUpTo256Bytes() {
        assertThat(new WorkflowId("order/42 ü 😀 'quoted'").value()).endsWith("'quoted'");
        assertThat(new DeduplicationId("é".repeat(128)).value()).hasSize(128);
        assertRefused(ErrorCode.INVALID_KEY, () -> new DeduplicationId("é".repeat(129)));
    }

    @Test
    void queuesOfUsersAndQueuesOfOursCannotMeet() {
        QueueName runs = QueueName.ofRuns(new WorkflowName("order"), 3);

        assertThat(runs.value()).isEqualTo("__wf_order@3");
        assertThat(runs.holdsRuns()).isTrue();
        assertThat(QueueName.ofRuns(new WorkflowName("a".repeat(48)), null).value())
                .hasSize(53);
        assertThat(new QueueName("orders").deadLetters()).hasToString("orders.dlq");
        assertThat(new QueueName("orders.dlq").holdsDeadLetters()).isTrue();
        assertThat(new QueueName("orders_dlq").holdsDeadLetters()).isFalse();
        assertRefused(ErrorCode.INVALID_NAME, () -> new QueueName("__mine"));
        assertRefused(ErrorCode.INVALID_NAME, () -> new QueueName("orders.dlq").deadLetters());
        assertRefused(ErrorCode.INVALID_NAME, () -> new QueueName("__wf_order@0"));
        assertRefused(ErrorCode.INVALID_NAME, () -> new QueueName("order@3"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "1-2-3-4-5", "0199d2a4-0000-7000-8000-00000000000g", "0199d2a400007000800000000000000112345"
            })
    void anIdIsOnlyWhatPerdurePrinted(String text) {
        assertRefused(ErrorCode.INVALID_ID, () -> RunId.parse(text));
        assertRefused(ErrorCode.INVALID_ID, () -> Receipt.parse(text));
        assertRefused(ErrorCode.INVALID_ID, () -> Receipt.parse(text + "." + text));
    }

    @Test
    void idsAndReceiptsAreReadAsPrinted() {
        Receipt receipt = new Receipt(new MessageId(new UUID(1, 2)), new UUID(3, 4));

        assertThat(Receipt.parse(receipt.toString())).isEqualTo(receipt);
        QueueName queue = new QueueName("orders");
        Receipt grouped = Receipt.of(receipt.message(), receipt.token(), queue, new GroupKey("customer-17"));
        assertThat(grouped).hasToString(receipt + ".4e6cb430");
        assertThat(Receipt.parse(grouped.toString())).isEqualTo(grouped).isNotEqualTo(receipt);
        assertThat(Receipt.of(receipt.message(), receipt.token(), queue, null)).isEqualTo(receipt);
        assertThat(RunId.parse("0199D2A4-0000-7000-8000-000000000001"))
                .isEqualTo(RunId.parse("0199d2a4-0000-7000-8000-000000000001"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {".", ".4e6cb43", ".4E6CB430", ".00000000", ".4e6cb4300", ".4e6cb43g", ".4e6cb430.", ".+1234567"})
    void aReceiptHasNoLooserForms(String end) {
        String receipt = new Receipt(new MessageId(new UUID(1, 2)), new UUID(3, 4)).toString();
        assertRefused(ErrorCode.INVALID_ID, () -> Receipt.parse(receipt + end));
    }

    @Test
    void idsSortAsDatabasesSortThem() {
        RunId low = new RunId(new UUID(0x7FFF_FFFF_FFFF_FFFFL, 0x7FFF_FFFF_FFFF_FFFFL));
        RunId high = new RunId(new UUID(0x8000_0000_0000_0000L, 0));
        RunId next = new RunId(new UUID(0x8000_0000_0000_0000L, 0x8000_0000_0000_0000L));

        assertThat(low).isLessThan(high);
        assertThat(high).isLessThan(next);
    }

    private static void assertRefused(ErrorCode code, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        InvalidValueException.class, e -> assertThat(e.code()).isEqualTo(code));
    }
}
