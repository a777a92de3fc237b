package io.perdure.core.key;

import io.perdure.sdk.id.KeyId;
import java.util.Base64;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What proves that somebody has a key: {@code pd_<id>_<secret>}. It has the same length always, so that tools which look for secrets in
 * logs and repositories can know one.
 *
 * @param secret 32 random bytes as unpadded base64url, which only who was given the token knows
 */
record Token(KeyId id, String secret) {
    private static final int SECRET_BYTES = 32;
    private static final int SECRET_CHARACTERS = 43;
    private static final Pattern PATTERN = Pattern.compile(
            "pd_([" + KeyId.ALPHABET + "]{" + KeyId.LENGTH + "})_([A-Za-z0-9_-]{" + SECRET_CHARACTERS + "})");

    static Token fresh(RandomGenerator random) {
        StringBuilder id = new StringBuilder();
        random.ints(KeyId.LENGTH, 0, KeyId.ALPHABET.length())
                .mapToObj(KeyId.ALPHABET::charAt)
                .forEach(id::append);
        byte[] secret = new byte[SECRET_BYTES];
        random.nextBytes(secret);
        return new Token(
                new KeyId(id.toString()),
                Base64.getUrlEncoder().withoutPadding().encodeToString(secret));
    }

    /** Reads a token; empty for anything else. */
    static Optional<Token> parse(String text) {
        Matcher matcher = PATTERN.matcher(text);
        return matcher.matches()
                ? Optional.of(new Token(new KeyId(matcher.group(1)), matcher.group(2)))
                : Optional.empty();
    }

    /** The whole of it, to be shown once. */
    String text() {
        return "pd_" + id + "_" + secret;
    }

    @Override
    public String toString() {
        return "Token[id=" + id + "]";
    }
}
