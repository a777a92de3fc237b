package io.perdure.core.store;

import io.perdure.sdk.key.ApiKey;

/** A key as it is kept. */
public record StoredKey(ApiKey key, SecretHash hash) {}
