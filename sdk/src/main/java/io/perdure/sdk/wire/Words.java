package io.perdure.sdk.wire;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.InvalidValueException;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** The values of enums as they travel: in lower case. */
public final class Words {
    private Words() {}

    public static String of(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }

    /** The value of a word; {@code PD-609} for one that is none, saying which there are. */
    public static <E extends Enum<E>> E parse(Class<E> type, String word) {
        return Arrays.stream(type.getEnumConstants())
                .filter(value -> of(value).equals(word))
                .findFirst()
                .orElseThrow(() -> new InvalidValueException(
                        ErrorCode.INVALID_FIELD,
                        "\"%s\" is none of %s."
                                .formatted(
                                        word,
                                        Arrays.stream(type.getEnumConstants())
                                                .map(Words::of)
                                                .collect(Collectors.joining(", ")))));
    }
}
