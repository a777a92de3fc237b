package io.perdure.sdk;

import java.time.Duration;

/**
 * Bounds of API keys.
 *
 * @param nameBytes longest name of a key, in UTF-8
 * @param expiryMax longest time after which a key may be told to expire
 * @param trusted how long a process goes by what it has read of a key: a key that is revoked counts nowhere after this
 * @param remembered most keys that a process goes by without reading them again
 * @param strangersPerSecond most keys a second that a process looks for without having seen them before
 */
public record KeyLimits(int nameBytes, Duration expiryMax, Duration trusted, int remembered, int strangersPerSecond) {}
