package io.perdure.sdk.id;

/** Makes a start repeatable: one run per tenant, workflow and key for as long as that run is retained. */
public record IdempotencyKey(String value) {
    public IdempotencyKey {
        Names.key("idempotency key", value);
    }

    @Override
    public String toString() {
        return value;
    }
}
