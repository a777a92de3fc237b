package io.perdure.server;

import io.helidon.common.configurable.Resource;
import io.helidon.common.pki.Keys;
import io.helidon.common.tls.Tls;
import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.InvalidValueException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Reads what a server speaks TLS with. */
public final class Certificate {
    private Certificate() {}

    /** Throws {@code PD-610} where a server could not start with these, and keeps nothing of them. */
    public static void require(ServerOptions.Tls files) {
        read(files);
    }

    /** {@code PD-610} where a file cannot be read, or is not what it should be. */
    static Tls read(ServerOptions.Tls files) {
        requireFile(files.certificate());
        requireFile(files.privateKey());
        try {
            Keys keys = Keys.builder()
                    .pem(pem -> pem.key(Resource.create(files.privateKey()))
                            .certChain(Resource.create(files.certificate())))
                    .build();
            return Tls.builder()
                    .privateKey(keys)
                    .privateKeyCertChain(keys)
                    .addEnabledProtocol("TLSv1.3")
                    .addEnabledProtocol("TLSv1.2")
                    .build();
        } catch (RuntimeException e) {
            throw new InvalidValueException(
                    ErrorCode.SERVER_SETTINGS,
                    "Setting \"tls\" cannot be taken: %s and %s are no certificate and its private key in PEM."
                            .formatted(files.certificate(), files.privateKey()),
                    e);
        }
    }

    private static void requireFile(Path file) {
        if (!Files.isReadable(file)) {
            throw new InvalidValueException(
                    ErrorCode.SERVER_SETTINGS, "Setting \"tls\" cannot be taken: %s cannot be read.".formatted(file));
        }
    }
}
