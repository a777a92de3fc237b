package io.perdure.sdk.trace;

import io.perdure.sdk.id.RunId;
import io.perdure.sdk.id.StepName;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A place in a trace, as it travels between programs: what a W3C {@code traceparent} says, and its {@code tracestate} beside it.
 *
 * <p>The places of a run and of its steps are worked out, not drawn: whoever knows the run, in whatever process and after whatever crash, arrives
 * at the same ones. So all of them speak of one trace, and nothing has to be kept for it besides what the caller brought.
 *
 * @param traceId 32 hexadecimal digits in lower case, not all of them 0
 * @param spanId 16 of them
 * @param sampled whether who began the trace wants it recorded
 * @param tracestate what those who trace hand on to their own, as the header of this name says it; empty where there is nothing. What is none
 *     is dropped, and of what is longer than 512 characters as many entries as it takes
 */
public record TraceContext(String traceId, String spanId, boolean sampled, String tracestate) {
    /** The tag that a run has whose starter brought a place of its own. */
    public static final String TAG = "traceparent";

    /** The tag that it has beside that one where its starter also brought a state. */
    public static final String STATE_TAG = "tracestate";

    private static final Pattern TRACEPARENT =
            Pattern.compile("([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?");
    private static final HexFormat HEX = HexFormat.of();
    private static final String FIRST_VERSION = "00";
    private static final String NO_VERSION = "ff";
    private static final String NO_TRACE = "0".repeat(32);
    private static final String NO_SPAN = "0".repeat(16);

    // Odd and otherwise arbitrary: they keep the numbers that are worked out of one run apart. Never to be changed.
    private static final long OF_TRACE = 0x9e37_79b9_7f4a_7c15L;
    private static final long OF_RUN = 0xd1b5_4a32_d192_ed03L;

    public TraceContext {
        tracestate = TraceStates.read(tracestate);
    }

    /** A place without a state. */
    public TraceContext(String traceId, String spanId, boolean sampled) {
        this(traceId, spanId, sampled, "");
    }

    /** The same with this state, whatever a caller sent as one; what is none is dropped. */
    public TraceContext with(String state) {
        return new TraceContext(traceId, spanId, sampled, state);
    }

    /** Reads what a caller sent; empty where it is none: a trace that cannot be read is no reason to refuse work. */
    public static Optional<TraceContext> parse(String traceparent) {
        Matcher parts = TRACEPARENT.matcher(traceparent.strip());
        if (!parts.matches() || parts.group(1).equals(NO_VERSION)) {
            return Optional.empty();
        }
        boolean more = parts.group(5) != null;
        if ((more && parts.group(1).equals(FIRST_VERSION))
                || parts.group(2).equals(NO_TRACE)
                || parts.group(3).equals(NO_SPAN)) {
            return Optional.empty();
        }
        boolean sampled = (HexFormat.fromHexDigits(parts.group(4)) & 1) == 1;
        return Optional.of(new TraceContext(parts.group(2), parts.group(3), sampled));
    }

    /** What the caller of a run brought, by the run's tags. */
    public static Optional<TraceContext> ofCaller(Map<String, String> tags) {
        return Optional.ofNullable(tags.get(TAG))
                .flatMap(TraceContext::parse)
                .map(caller -> caller.with(tags.getOrDefault(STATE_TAG, "")));
    }

    /** The place of a run: in its caller's trace, or, where its caller had none, in one of its own. */
    public static TraceContext ofRun(RunId run, Map<String, String> tags) {
        long high = run.value().getMostSignificantBits();
        long low = run.value().getLeastSignificantBits();
        // Mixed, since those who record one trace in a hundred go by the digits of its id, and a run's own are not
        // random throughout.
        long mixed = mix(mix(high) + low);
        String spanId = HEX.toHexDigits(notZero(mix(mixed + OF_RUN)));
        return ofCaller(tags)
                .map(caller -> new TraceContext(caller.traceId(), spanId, caller.sampled(), caller.tracestate()))
                .orElseGet(() -> new TraceContext(
                        HEX.toHexDigits(notZero(mixed)) + HEX.toHexDigits(mix(mixed + OF_TRACE)), spanId, true));
    }

    /**
     * The place of an attempt at a step, under the run that this is the place of.
     *
     * @param startedAt when it began, as its event says in the end: an attempt that is made again after a crash is another one
     */
    public TraceContext ofStep(StepName step, int attempt, Instant startedAt) {
        long number = HexFormat.fromHexDigitsToLong(spanId);
        for (int i = 0; i < step.value().length(); i++) {
            number = mix(number + step.value().charAt(i));
        }
        long micros = ChronoUnit.MICROS.between(Instant.EPOCH, startedAt);
        String stepId = HEX.toHexDigits(notZero(mix(mix(number + attempt) + micros)));
        return new TraceContext(traceId, stepId, sampled, tracestate);
    }

    /** As it is sent: the value of the header {@code traceparent}. */
    public String traceparent() {
        return FIRST_VERSION + "-" + traceId + "-" + spanId + (sampled ? "-01" : "-00");
    }

    /** As much of a state as so many characters hold, in whole entries; empty where it is none. */
    public static String state(String tracestate, int most) {
        return TraceStates.cut(TraceStates.read(tracestate), most);
    }

    /** Every bit of the answer depends on every bit of the number, and no two numbers have one answer. */
    private static long mix(long number) {
        long once = (number ^ (number >>> 30)) * 0xbf58_476d_1ce4_e5b9L;
        long twice = (once ^ (once >>> 27)) * 0x94d0_49bb_1331_11ebL;
        return twice ^ (twice >>> 31);
    }

    private static long notZero(long number) {
        return number == 0 ? 1 : number;
    }
}
