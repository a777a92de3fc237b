package io.perdure.sdk.key;

/**
 * A key that counts no longer.
 *
 * @param now whether the call that answers this revoked it; false where it was revoked before
 */
public record RevokedKey(ApiKey key, boolean now) {}
