package io.perdure.server.http;

/** Which Perdure serves. */
public final class Release {
    private Release() {}

    /** The version of this build; {@code development} where it is none that was packed. */
    public static String running() {
        String built = Release.class.getPackage().getImplementationVersion();
        return built == null ? "development" : built;
    }
}
