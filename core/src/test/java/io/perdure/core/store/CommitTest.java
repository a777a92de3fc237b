package io.perdure.core.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.perdure.core.store.QueueCommit.Send;
import io.perdure.core.store.QueueCommit.Verdict;
import io.perdure.core.store.RunCommit.Advance;
import io.perdure.core.store.RunCommit.Definition;
import io.perdure.core.store.RunCommit.Intervene;
import io.perdure.core.store.RunCommit.Signal;
import io.perdure.core.store.RunCommit.Start;
import io.perdure.core.store.RunCommit.StartOptions;
import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.InvalidValueException;
import io.perdure.sdk.history.Draft;
import io.perdure.sdk.history.Due;
import io.perdure.sdk.history.Event;
import io.perdure.sdk.history.RunKind;
import io.perdure.sdk.id.EventName;
import io.perdure.sdk.id.MessageId;
import io.perdure.sdk.id.QueueName;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.id.StepName;
import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.id.WorkflowName;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.queue.QueueSettings;
import io.perdure.sdk.worker.Claim;
import io.perdure.sdk.worker.Release;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A commit that breaks a rule, or is too large, cannot be made. */
class CommitTest {
    private static final TenantId TENANT = TenantId.DEFAULT;
    private static final RunId RUN = new RunId(new UUID(1, 2));
    private static final UUID TOKEN = new UUID(3, 4);
    private static final QueueName ORDERS = new QueueName("orders");
    private static final Event STEP = new Event.StepCompleted(new StepName("a"), null, Instant.EPOCH);
    private static final Event DONE = new Event.RunCompleted(Json.NULL);
    private static final Event RESUMED = new Event.RunResumed("operator", "mended", null);

    @Test
    void anEventThatEndsARunIsTheLastOfItsCommit() {
        assertThat(advance(1, null, STEP, DONE).events()).hasSize(2);
        assertRefused(ErrorCode.MALFORMED_COMMIT, () -> advance(1, null, DONE, STEP));
        assertRefused(ErrorCode.MALFORMED_COMMIT, () -> advance(1, Release.until(Due.atOnce()), DONE));
        assertRefused(
                ErrorCode.MALFORMED_COMMIT,
                () -> new Intervene(
                        TENANT, RUN, OptionalLong.empty(), List.of(new Draft(DONE), new Draft(STEP)), Due.atOnce()));
    }

    @Test
    void aWorkerDoesNotCreateResumeOrRedrive() {
        assertRefused(ErrorCode.MALFORMED_COMMIT, () -> advance(1, null, RESUMED));
        assertRefused(ErrorCode.MALFORMED_COMMIT, () -> advance(1, null, new Event.RunRedriven("operator", "again")));
    }

    @Test
    void anInterventionTakesNoSignalAndIsNotEmpty() {
        Event received = new Event.EventReceived(new StepName("w"), new EventName("e"), 1, Json.NULL);
        assertRefused(ErrorCode.MALFORMED_COMMIT, () -> new Intervene(TENANT, RUN, received));
        assertRefused(
                ErrorCode.MALFORMED_COMMIT,
                () -> new Intervene(TENANT, RUN, OptionalLong.empty(), List.of(), Due.atOnce()));
    }

    @Test
    void anAdvanceDoesSomethingAndNumbersStartAtOne() {
        assertRefused(ErrorCode.MALFORMED_COMMIT, () -> advance(1, null));
        assertRefused(ErrorCode.MALFORMED_COMMIT, () -> advance(0, null, STEP));
        assertThat(advance(1, Release.until(Due.atOnce())).events()).isEmpty();
    }

    @Test
    void aRunThatIsHandedOverIsDueAtOnce() {
        Lease lease = new Lease(TOKEN, Duration.ofSeconds(10));
        assertRefused(
                ErrorCode.MALFORMED_COMMIT,
                () -> new Start(
                        TENANT, RUN, definition(Json.NULL), Due.in(Duration.ofSeconds(1)), lease, options(Map.of())));
        Definition unversioned = new Definition(new WorkflowName("order"), null, null, Json.NULL, Map.of());
        assertRefused(
                ErrorCode.MALFORMED_COMMIT,
                () -> new Start(TENANT, RUN, unversioned, Due.atOnce(), lease, options(Map.of())));
        assertRefused(ErrorCode.OUT_OF_BOUNDS, () -> new Lease(TOKEN, Duration.ZERO));
    }

    @Test
    void usersReachOnlyQueuesOfUsers() {
        QueueName runs = QueueName.ofRuns(new WorkflowName("order"), 1);
        assertRefused(ErrorCode.MALFORMED_COMMIT, () -> message(runs, Json.NULL));
        assertRefused(ErrorCode.MALFORMED_COMMIT, () -> message(ORDERS.deadLetters(), Json.NULL));
        assertRefused(ErrorCode.MALFORMED_COMMIT, () -> new QueueCommit.Purge(TENANT, runs, 1));
        assertRefused(ErrorCode.MALFORMED_COMMIT, () -> new QueueCommit.Delete(TENANT, ORDERS.deadLetters()));
        assertRefused(ErrorCode.MALFORMED_COMMIT, () -> new QueueCommit.Redrive(TENANT, ORDERS, new MessageId(TOKEN)));
        assertRefused(
                ErrorCode.MALFORMED_COMMIT,
                () -> new Receive(TENANT, runs, 1, new Lease(TOKEN, Duration.ofSeconds(1))));
    }

    @Test
    void valuesHaveTheSizeOfTheirLimitAndNotAByteMore() {
        Json mebibyte = string(1024 * 1024);
        Json more = string(1024 * 1024 + 1);

        assertThat(definition(mebibyte).input()).isSameAs(mebibyte);
        assertRefused(ErrorCode.VALUE_TOO_LARGE, () -> definition(more));
        assertRefused(
                ErrorCode.VALUE_TOO_LARGE,
                () -> new Draft(new Event.StepCompleted(new StepName("a"), more, Instant.EPOCH)));
        assertRefused(ErrorCode.VALUE_TOO_LARGE, () -> new Draft(new Event.RunCompleted(more)));
        assertRefused(ErrorCode.VALUE_TOO_LARGE, () -> new Signal(TENANT, RUN, new EventName("e"), more, null));
        assertThat(message(ORDERS, string(128 * 1024)).body().bytes()).isEqualTo(128 * 1024);
        assertRefused(ErrorCode.VALUE_TOO_LARGE, () -> message(ORDERS, string(128 * 1024 + 1)));
    }

    @Test
    void aSendIsBoundedInMessagesAndBytes() {
        NewMessage small = message(ORDERS, Json.NULL);
        NewMessage large = message(ORDERS, string(128 * 1024));

        assertThat(new Send(TENANT, Collections.nCopies(100, small)).messages()).hasSize(100);
        assertRefused(ErrorCode.OUT_OF_BOUNDS, () -> new Send(TENANT, Collections.nCopies(101, small)));
        assertThat(new Send(TENANT, List.of(large, large)).messages()).hasSize(2);
        assertRefused(ErrorCode.VALUE_TOO_LARGE, () -> new Send(TENANT, List.of(large, large, small)));
    }

    @Test
    void countsAndTimesAreBounded() {
        assertRefused(ErrorCode.OUT_OF_BOUNDS, () -> options(texts(33)));
        assertThat(options(texts(32)).tags()).hasSize(32);
        assertRefused(ErrorCode.VALUE_TOO_LARGE, () -> options(Map.of("k", "v".repeat(257))));
        assertRefused(
                ErrorCode.OUT_OF_BOUNDS, () -> delayed(Duration.ofHours(24).plusMillis(1)));
        assertRefused(ErrorCode.OUT_OF_BOUNDS, () -> delayed(Duration.ofMillis(-1)));
        assertRefused(ErrorCode.OUT_OF_BOUNDS, () -> new Verdict.Retry(Duration.ofDays(2), ""));
        assertRefused(ErrorCode.OUT_OF_BOUNDS, () -> receive(101, Duration.ofSeconds(1)));
        assertRefused(ErrorCode.OUT_OF_BOUNDS, () -> receive(1, Duration.ofHours(13)));
        assertThat(new Verdict.Reject("x".repeat(100_000)).error())
                .hasSize(16_384)
                .endsWith("…");
    }

    @Test
    void aRunThatNeverBecomesDueCannotBeMade() {
        assertRefused(
                ErrorCode.MALFORMED_COMMIT,
                () -> new Start(TENANT, RUN, definition(Json.NULL), Due.never(), null, options(Map.of())));
        assertRefused(
                ErrorCode.MALFORMED_COMMIT,
                () -> new Intervene(TENANT, RUN, OptionalLong.empty(), List.of(new Draft(RESUMED)), Due.never()));
        assertRefused(ErrorCode.MALFORMED_COMMIT, () -> Release.until(Due.never()));
        assertRefused(ErrorCode.MALFORMED_COMMIT, () -> new Draft(new Event.SleepStarted(new StepName("nap"))));
        assertRefused(ErrorCode.MALFORMED_COMMIT, () -> new Draft(STEP, Due.atOnce()));
    }

    @Test
    void textThatADatabaseCannotHoldIsRefusedOrReplaced() {
        assertRefused(ErrorCode.INVALID_KEY, () -> options(Map.of("k", "a\u0000")));
        assertRefused(ErrorCode.INVALID_KEY, () -> options(Map.of("\ud800", "v")));
        assertRefused(
                ErrorCode.INVALID_KEY,
                () -> new NewMessage(
                        new MessageId(TOKEN), ORDERS, Json.NULL, Map.of("h", "\udc00"), Duration.ZERO, null, null));
        assertThat(new Verdict.Reject("a\u0000b\ud800c\n").error()).isEqualTo("a\uFFFDb\uFFFDc\n");
    }

    @Test
    void versionsLeasesTimesAndPagesAreBounded() {
        assertRefused(ErrorCode.OUT_OF_BOUNDS, () -> new Event.RunResumed("me", "why", 0));
        assertRefused(ErrorCode.MALFORMED_COMMIT, () -> new Claim.Served(new WorkflowName("order"), Set.of(0)));
        assertRefused(ErrorCode.OUT_OF_BOUNDS, () -> new Lease(TOKEN, Duration.ofSeconds(Long.MAX_VALUE)));
        assertRefused(ErrorCode.OUT_OF_BOUNDS, () -> Due.at(Instant.MIN));
        assertRefused(ErrorCode.OUT_OF_BOUNDS, () -> RunQuery.all(TENANT, 0));
        assertRefused(ErrorCode.OUT_OF_BOUNDS, () -> RunQuery.all(TENANT, 10_001));
        assertRefused(ErrorCode.OUT_OF_BOUNDS, () -> new StartOptions(null, null, Due.never(), Map.of(), 36_501, null));
        assertRefused(
                ErrorCode.OUT_OF_BOUNDS,
                () -> new Advance(TENANT, RUN, TOKEN, 1, Collections.nCopies(1_001, new Draft(STEP)), List.of(), null));
        RunQuery query =
                new RunQuery(TENANT, RunQuery.Order.STARTED, null, null, Instant.MIN, Instant.MAX, Map.of(), null, 1);
        assertThat(query.since()).isEqualTo(Instant.EPOCH);
        assertThat(query.until()).isEqualTo(Due.FAR_FUTURE);
    }

    @Test
    void eventsOfPerdureCannotBeSignalled() {
        assertRefused(
                ErrorCode.MALFORMED_COMMIT, () -> new Signal(TENANT, RUN, EventName.childEnded(RUN), Json.NULL, null));
    }

    @Test
    void inputAndFirstWritesMakeTheFingerprint() {
        Definition plain = definition(Json.of("{\"a\":1}"));
        Definition spaced = definition(Json.of("{ \"a\" : 1.0 }"));
        Definition written = new Definition(
                new WorkflowName("order"), 1, RunKind.CODE, plain.input(), Map.of("total", Json.of("7")));

        assertThat(spaced.fingerprint()).isEqualTo(plain.fingerprint());
        assertThat(written.fingerprint()).isNotEqualTo(plain.fingerprint());
    }

    @Test
    void queueSettingsNameWhatIsOutOfBounds() {
        assertThatThrownBy(() -> new QueueSettings(
                        Duration.ofHours(13), 3, true, Duration.ofDays(4), Duration.ofDays(4), Duration.ofHours(12)))
                .hasMessageStartingWith(
                        "PD-007 Queue setting \"visibility\" is PT13H; it must lie between PT0.001S and PT12H.");
        assertRefused(ErrorCode.OUT_OF_BOUNDS, () -> settings(101, Duration.ofDays(4)));
        assertRefused(ErrorCode.OUT_OF_BOUNDS, () -> settings(3, Duration.ofSeconds(59)));
        assertRefused(
                ErrorCode.OUT_OF_BOUNDS,
                () -> settings(3, Duration.ofSeconds(61).plusNanos(1)));
        assertThat(QueueSettings.defaults().deliveries()).isEqualTo(4);
    }

    @Test
    void aTimeIsFixedToWholeMicrosecondsAndNeverEarly() {
        Instant now = Instant.parse("2026-01-01T00:00:00.000001Z");

        assertThat(Due.in(Duration.ofNanos(1)).fixedAt(now)).isEqualTo(now.plusNanos(1_000));
        assertThat(Due.at(now.plusNanos(1_500)).fixedAt(now)).isEqualTo(now.plusNanos(2_000));
        assertThat(Due.in(Duration.ofSeconds(Long.MAX_VALUE)).fixedAt(now)).isEqualTo(Due.FAR_FUTURE);
        assertThat(Due.at(Instant.MAX).fixedAt(now)).isEqualTo(Due.FAR_FUTURE);
        assertThat(Due.never().fixedAt(now)).isEqualTo(Due.FAR_FUTURE);
        assertRefused(ErrorCode.OUT_OF_BOUNDS, () -> Due.in(Duration.ofNanos(-1)));
    }

    private static Advance advance(long seq, @Nullable Release release, Event... events) {
        return new Advance(
                TENANT,
                RUN,
                TOKEN,
                seq,
                List.of(events).stream().map(Draft::new).toList(),
                List.of(),
                release);
    }

    private static Definition definition(Json input) {
        return new Definition(new WorkflowName("order"), 1, RunKind.CODE, input, Map.of());
    }

    private static StartOptions options(Map<String, String> tags) {
        return new StartOptions(null, null, Due.never(), tags, 30, null);
    }

    private static NewMessage message(QueueName queue, Json body) {
        return new NewMessage(new MessageId(TOKEN), queue, body);
    }

    private static NewMessage delayed(Duration delay) {
        return new NewMessage(new MessageId(TOKEN), ORDERS, Json.NULL, Map.of(), delay, null, null);
    }

    private static Receive receive(int max, Duration visibility) {
        return new Receive(TENANT, ORDERS, max, new Lease(TOKEN, visibility));
    }

    private static QueueSettings settings(int retries, Duration retention) {
        return new QueueSettings(
                Duration.ofSeconds(30), retries, true, retention, Duration.ofDays(4), Duration.ofHours(12));
    }

    private static Map<String, String> texts(int count) {
        return IntStream.range(0, count).boxed().collect(Collectors.toMap(i -> "k" + i, i -> "v" + i));
    }

    private static Json string(int bytes) {
        return Json.string("x".repeat(bytes - 2));
    }

    private static void assertRefused(ErrorCode code, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        InvalidValueException.class, e -> assertThat(e.code()).isEqualTo(code));
    }
}
