package io.perdure.sdk.key;

/**
 * A key that was just made, with what proves that somebody has it. This is the only time that the token is seen: what is kept of its
 * secret is a hash.
 *
 * @param token what to send with each request, {@code pd_<id>_<secret>}
 */
public record NewKey(ApiKey key, String token) {
    /** Shows the key without its token, so that no log does. */
    @Override
    public String toString() {
        return "NewKey[key=" + key + "]";
    }
}
