package io.perdure.sdk;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** Hashes by SHA-256, which every Java platform has. */
public final class Sha256 {
    private Sha256() {}

    /** A digest that has hashed nothing yet. */
    public static MessageDigest digest() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java platform has SHA-256.", e);
        }
    }

    /** The 32 bytes of a text's hash, taken over its UTF-8. */
    public static byte[] of(String text) {
        return digest().digest(text.getBytes(StandardCharsets.UTF_8));
    }

    /** The same as 64 hexadecimal digits in lower case. */
    public static String hex(String text) {
        return HexFormat.of().formatHex(of(text));
    }
}
