package io.perdure.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.perdure.core.store.NotedRequest;
import io.perdure.core.store.RequestAnswer;
import io.perdure.core.store.RequestNote;
import io.perdure.core.store.Sweep;
import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.Limits;
import io.perdure.sdk.PerdureException;
import io.perdure.sdk.id.TenantId;
import io.perdure.testkit.StoreFactory;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Requests that may be sent again: the first to note one does it, the others hear what that one answered. */
abstract class RequestContract extends SweepFixture {
    private static final String DIGEST = "0123456789abcdef".repeat(4);
    private static final String OTHER_DIGEST = "f".repeat(64);
    private static final RequestAnswer ANSWER = new RequestAnswer(200, "application/json", "{\"count\":1}");
    private static final RequestAnswer OTHER_ANSWER = new RequestAnswer(409, "application/problem+json", "{}");
    private static final Duration KEPT = Limits.defaults().remote().requestsKept();

    private final UUID id = ids.token();

    RequestContract(StoreFactory factory) {
        super(factory);
    }

    private RequestNote note(TenantId tenant, UUID request, String digest) {
        return new RequestNote(tenant, request, ids.token(), digest);
    }

    private RequestNote note() {
        return note(TENANT, id, DIGEST);
    }

    /** Notes a request of which nothing was known. */
    private RequestNote noted(UUID request) {
        RequestNote note = note(TENANT, request, DIGEST);
        assertThat(store.noteRequest(note)).isEqualTo(new NotedRequest(note, null));
        return note;
    }

    @Test
    final void whoNotesARequestFirstIsToldSo() {
        RequestNote first = noted(id);
        NotedRequest kept = store.noteRequest(note());
        assertThat(kept).isEqualTo(new NotedRequest(first, null));
        assertThat(kept.isOf(first)).isTrue();
        assertThat(kept.isOf(note())).isFalse();
        assertThat(store.request(TENANT, id)).contains(kept);
    }

    @Test
    final void theSameNoteIsTheFirstHoweverOftenItIsSent() {
        RequestNote first = noted(id);
        assertThat(store.noteRequest(first)).isEqualTo(new NotedRequest(first, null));
        store.answerRequest(first, ANSWER);
        assertThat(store.noteRequest(first)).isEqualTo(new NotedRequest(first, ANSWER));
    }

    @Test
    final void ofManyWhoNoteARequestOneIsFirst() {
        List<RequestNote> notes = Stream.generate(this::note).limit(16).toList();
        List<NotedRequest> answers = Crowd.of(notes.size(), index -> store.noteRequest(notes.get(index)));
        assertThat(answers.stream().distinct()).as("all hear of the same").hasSize(1);
        assertThat(notes.stream().filter(answers.getFirst()::isOf)).hasSize(1);
    }

    @Test
    final void whatIsAskedForIsKnownByItsDigest() {
        noted(id);
        RequestNote other = note(TENANT, id, OTHER_DIGEST);
        NotedRequest kept = store.noteRequest(other);
        assertThat(kept.isSame(other)).isFalse();
        assertThat(kept.isSame(note())).isTrue();
    }

    @Test
    final void anAnswerIsKeptToTheLetter() {
        String body = "{\"detail\":\"zürich \\u0000 \\\"1\\\"\\n' 🐟 " + "x".repeat(100_000) + "\"}\n";
        for (RequestAnswer answer : List.of(
                new RequestAnswer(204, "", ""), new RequestAnswer(200, "application/x-ndjson", body), OTHER_ANSWER)) {
            RequestNote note = noted(ids.token());
            store.answerRequest(note, answer);
            assertThat(store.request(TENANT, note.id())).contains(new NotedRequest(note, answer));
            assertThat(store.noteRequest(note(TENANT, note.id(), DIGEST))).isEqualTo(new NotedRequest(note, answer));
        }
    }

    @Test
    final void ofTwoAnswersTheFirstCounts() {
        RequestNote note = noted(id);
        store.answerRequest(note, ANSWER);
        store.answerRequest(note, OTHER_ANSWER);
        assertThat(store.request(TENANT, id)).contains(new NotedRequest(note, ANSWER));
    }

    @Test
    final void nobodyAnswersOrForgetsWhatAnotherNoted() {
        RequestNote first = noted(id);
        RequestNote second = note();
        store.noteRequest(second);
        store.answerRequest(second, ANSWER);
        store.forgetRequest(second);
        assertThat(store.request(TENANT, id)).contains(new NotedRequest(first, null));
        store.answerRequest(note(TENANT, ids.token(), DIGEST), ANSWER);
        assertThat(store.request(TENANT, ids.token())).isEmpty();
    }

    @Test
    final void aRequestThatWasForgottenIsNotedAnew() {
        RequestNote first = noted(id);
        store.forgetRequest(first);
        assertThat(store.request(TENANT, id)).isEmpty();
        store.forgetRequest(first);
        RequestNote second = noted(id);
        store.answerRequest(first, ANSWER);
        assertThat(store.request(TENANT, id))
                .as("who forgot it has nothing to say")
                .contains(new NotedRequest(second, null));
    }

    @Test
    final void aRequestThatWasAnsweredIsNotForgotten() {
        RequestNote note = noted(id);
        store.answerRequest(note, ANSWER);
        store.forgetRequest(note);
        assertThat(store.request(TENANT, id)).contains(new NotedRequest(note, ANSWER));
    }

    @Test
    final void anIdOfAnotherTenantIsAnother() {
        RequestNote ours = noted(id);
        RequestNote theirs = note(OTHER_TENANT, id, OTHER_DIGEST);
        assertThat(store.request(OTHER_TENANT, id)).isEmpty();
        assertThat(store.noteRequest(theirs)).isEqualTo(new NotedRequest(theirs, null));
        store.answerRequest(theirs, ANSWER);
        assertThat(store.request(TENANT, id)).contains(new NotedRequest(ours, null));
        store.forgetRequest(ours);
        assertThat(store.request(OTHER_TENANT, id)).contains(new NotedRequest(theirs, ANSWER));
    }

    @Test
    final void requestsGoWhenTheyHaveBeenKeptForLongEnoughAnsweredOrNot() {
        store.answerRequest(noted(ids.token()), ANSWER);
        noted(ids.token());
        clock.move(MOMENT);
        RequestNote later = noted(id);
        clock.move(KEPT.minus(MOMENT.multipliedBy(2)));
        assertThat(sweep(Sweep.NOTED_REQUESTS)).isZero();
        store.answerRequest(later, ANSWER);
        clock.move(MOMENT);
        assertThat(sweepOneByOne(Sweep.NOTED_REQUESTS)).isEqualTo(2);
        assertThat(store.request(TENANT, id)).contains(new NotedRequest(later, ANSWER));
        clock.move(MOMENT);
        assertThat(sweep(Sweep.NOTED_REQUESTS)).isEqualTo(1);
        noted(id);
    }

    @Test
    final void theOldestRequestGoesFirst() {
        UUID old = ids.token();
        noted(old);
        clock.move(MOMENT);
        noted(id);
        clock.move(KEPT);
        assertThat(store.sweep(Sweep.NOTED_REQUESTS, 1)).isEqualTo(1);
        assertThat(store.request(TENANT, old)).isEmpty();
        assertThat(store.request(TENANT, id)).isPresent();
    }

    @Test
    final void whatIsNoDigestIsRefused() {
        for (String digest : List.of("", "0".repeat(63), "G".repeat(64))) {
            assertThatExceptionOfType(PerdureException.class)
                    .isThrownBy(() -> note(TENANT, id, digest))
                    .returns(ErrorCode.MALFORMED_COMMIT, PerdureException::code);
        }
    }
}
