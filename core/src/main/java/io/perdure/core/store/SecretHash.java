package io.perdure.core.store;

import io.perdure.sdk.Sha256;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.regex.Pattern;

/**
 * What is kept of a key's secret: its SHA-256, as 64 hexadecimal digits in lower case. A secret has 256 random bits, so that nobody can find
 * it by trying, and neither salt nor a slow hash would add to that.
 */
public record SecretHash(String hex) {
    private static final Pattern PATTERN = Pattern.compile("[0-9a-f]{64}");

    public SecretHash {
        Commit.require(PATTERN.matcher(hex).matches(), "A hash has 64 hexadecimal digits in lower case.");
    }

    /** The hash of a secret's text. */
    public static SecretHash of(String secret) {
        return new SecretHash(Sha256.hex(secret));
    }

    /** Whether both are the same. Takes as long whatever they have in common, so that nobody learns a hash digit by digit. */
    public boolean matches(SecretHash other) {
        return MessageDigest.isEqual(
                hex.getBytes(StandardCharsets.US_ASCII), other.hex.getBytes(StandardCharsets.US_ASCII));
    }

    /** Shows nothing of it, so that no log does. */
    @Override
    public String toString() {
        return "SecretHash[]";
    }
}
