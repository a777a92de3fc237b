package io.perdure.server.connection;

import java.util.Locale;

/** Why a connection ended. */
enum ConnectionEnd {
    /** The caller closed it, or an answer was its last one. */
    CLOSED,
    /** It was reset, or could not be read or written. */
    BROKEN,
    /** It said nothing for too long. */
    SILENT,
    /** Its place was needed for another connection. */
    EVICTED,
    /** The server stopped. */
    STOPPED;

    String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
