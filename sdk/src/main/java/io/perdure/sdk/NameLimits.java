package io.perdure.sdk;

/**
 * How long names and keys may be; part of {@link Limits}.
 *
 * @param workflowCharacters longest workflow name
 * @param stepCharacters longest name of a step, sleep or wait
 * @param eventCharacters longest name of an event
 * @param queueCharacters longest name of a queue
 * @param tenantCharacters longest name of a tenant
 * @param keyBytes longest idempotency key, workflow id, deduplication id, group key, scratchpad entry, tag name, tag or worker's
 *     name, in UTF-8
 */
public record NameLimits(
        int workflowCharacters,
        int stepCharacters,
        int eventCharacters,
        int queueCharacters,
        int tenantCharacters,
        int keyBytes) {}
