package io.perdure.server;

import io.perdure.core.key.ApiKeys;
import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.InvalidValueException;
import java.net.InetAddress;
import java.net.UnknownHostException;

/** Who can reach a server, and whether that is safe. */
public final class Exposure {
    private Exposure() {}

    /** Whether only this machine can reach a server at this address; {@code PD-610} for what is no address. */
    static boolean isLocal(String host) {
        try {
            return InetAddress.getByName(host).isLoopbackAddress();
        } catch (UnknownHostException e) {
            throw new InvalidValueException(
                    ErrorCode.SERVER_SETTINGS,
                    "Setting \"host\" cannot be taken: there is no address " + host + ".",
                    e);
        }
    }

    /** Whether only programs on this machine can ask: through a proxy, others can. */
    public static boolean isReachedFromHereOnly(ServerOptions options) {
        return isLocal(options.host()) && !options.behindProxy();
    }

    /** Throws {@code PD-610} where others could reach the server without a key, or read what it is told on the way. */
    public static void require(ServerOptions options, ApiKeys keys) {
        if (isReachedFromHereOnly(options)) {
            return;
        }
        if (!keys.any()) {
            throw refused(options, "there is no key yet", "Make one with `perdure key create`, in the same store.");
        }
        if (options.tls() == null && !options.behindProxy()) {
            throw refused(
                    options,
                    "what it says could be read on the way: there is neither TLS nor a proxy that has it",
                    "Name a certificate and its key, or say that there is a proxy.");
        }
    }

    private static InvalidValueException refused(ServerOptions options, String why, String advice) {
        return new InvalidValueException(
                ErrorCode.SERVER_SETTINGS,
                "Others can reach a server at host %s, and %s. %s".formatted(options.host(), why, advice));
    }
}
