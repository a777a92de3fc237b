package io.perdure.core.store;

import io.perdure.sdk.id.TenantId;
import java.util.UUID;
import java.util.regex.Pattern;

/**
 * Says that somebody is about to do what a request asks for.
 *
 * @param id what its sender calls the request, the same each time it is sent
 * @param noter a token of whoever would do it, by which that one is known again
 * @param digest of all that is asked for: 64 hexadecimal digits in lower case, other ones for anything else
 */
public record RequestNote(TenantId tenant, UUID id, UUID noter, String digest) {
    private static final Pattern DIGEST = Pattern.compile("[0-9a-f]{64}");

    public RequestNote {
        Commit.require(DIGEST.matcher(digest).matches(), "A digest has 64 hexadecimal digits in lower case.");
    }
}
