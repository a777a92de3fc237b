package io.perdure.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;

/**
 * Which Perdure this is and what it runs on.
 *
 * @param perdure the product's version, written into the jar by the build
 * @param java the runtime's version
 * @param os name, release and processor of the system
 */
record Product(String perdure, String java, String os) {
    /** The running one. */
    static Product running() {
        return new Product(builtVersion(), Runtime.version().toString(), operatingSystem());
    }

    private static String operatingSystem() {
        return String.join(
                " ", System.getProperty("os.name"), System.getProperty("os.version"), System.getProperty("os.arch"));
    }

    private static String builtVersion() {
        Properties product = new Properties();
        try (InputStream resource = Product.class.getResourceAsStream("product.properties")) {
            if (resource == null) {
                throw new IllegalStateException("product.properties is missing from the jar");
            }
            product.load(resource);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return product.getProperty("version", "unknown");
    }
}
