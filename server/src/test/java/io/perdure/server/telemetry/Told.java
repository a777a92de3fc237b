package io.perdure.server.telemetry;

import com.google.protobuf.ByteString;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.trace.v1.Span;
import io.opentelemetry.proto.trace.v1.Status;
import io.perdure.sdk.id.RunId;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;

/** A span as a collector reads it. */
record Told(Span span) {
    String traceId() {
        return hex(span.getTraceId());
    }

    String spanId() {
        return hex(span.getSpanId());
    }

    /** The span above it; empty where there is none. */
    String parentId() {
        return hex(span.getParentSpanId());
    }

    private static String hex(ByteString bytes) {
        return HexFormat.of().formatHex(bytes.toByteArray());
    }

    /** Names and values, sorted by name. */
    Map<String, String> attributes() {
        Map<String, String> attributes = new TreeMap<>();
        span.getAttributesList().forEach(attribute -> attributes.put(attribute.getKey(), text(attribute.getValue())));
        return attributes;
    }

    private static String text(AnyValue value) {
        return value.hasIntValue() ? Long.toString(value.getIntValue()) : value.getStringValue();
    }

    boolean isOf(RunId run) {
        return run.toString().equals(attributes().get("run_id"));
    }

    boolean isError() {
        return span.getStatus().getCode() == Status.StatusCode.STATUS_CODE_ERROR;
    }

    boolean isOver(Told other) {
        return span.getStartTimeUnixNano() <= other.span.getStartTimeUnixNano()
                && span.getEndTimeUnixNano() >= other.span.getEndTimeUnixNano();
    }

    boolean isBefore(Told other) {
        return span.getEndTimeUnixNano() <= other.span.getStartTimeUnixNano();
    }
}
