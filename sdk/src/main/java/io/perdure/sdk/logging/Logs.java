package io.perdure.sdk.logging;

import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.SLF4JServiceProvider;

/**
 * Where Perdure's log lines go: to SLF4J, where the program has set it up, as with Logback. Otherwise to where Java takes them, which is stderr for
 * warnings unless somebody says else: a program without a logging library is to hear of a parked run, too.
 */
public final class Logs {
    private static final boolean SET_UP = isProviderThere();

    private Logs() {}

    /** Where SLF4J itself looks. One that cannot be made is SLF4J's to complain of, and no reason not to run. */
    private static boolean isProviderThere() {
        if (System.getProperty(LoggerFactory.PROVIDER_PROPERTY_KEY) != null) {
            return true;
        }
        try {
            return ServiceLoader.load(SLF4JServiceProvider.class, LoggerFactory.class.getClassLoader()).stream()
                    .findAny()
                    .isPresent();
        } catch (ServiceConfigurationError _) {
            return false;
        }
    }

    /** The logger of the package that this class is in. */
    public static System.Logger of(Class<?> owner) {
        String name = owner.getPackageName();
        return SET_UP ? new Slf4jLogger(LoggerFactory.getLogger(name)) : System.getLogger(name);
    }

    /** Whether the program has a provider of SLF4J's; without one SLF4J would complain of whoever uses it. */
    public static boolean areSetUp() {
        return SET_UP;
    }
}
