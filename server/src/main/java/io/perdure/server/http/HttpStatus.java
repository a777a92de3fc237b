package io.perdure.server.http;

import io.perdure.sdk.ErrorCode;

/** The HTTP status that tells of an error: every code has one, in one place. */
public final class HttpStatus {
    static final int METHOD_NOT_ALLOWED = 405;

    private static final int BAD_REQUEST = 400;
    private static final int NO_KEY = 401;
    private static final int FORBIDDEN = 403;
    private static final int NOT_FOUND = 404;
    private static final int CONFLICT = 409;
    private static final int TOO_LARGE = 413;
    private static final int UNSUPPORTED = 415;
    private static final int UNPROCESSABLE = 422;
    private static final int TOO_MANY = 429;
    private static final int FAULT = 500;
    private static final int UNAVAILABLE = 503;

    private HttpStatus() {}

    /** The status of this error. */
    public static int of(ErrorCode code) {
        return switch (code) {
            case NOT_JSON, INVALID_ID, UNKNOWN_CODE, USAGE, PROTOCOL_MISMATCH, MALFORMED_REQUEST -> BAD_REQUEST;
            case NO_VALID_KEY -> NO_KEY;
            case KEY_NOT_ALLOWED -> FORBIDDEN;
            case NO_SUCH_RUN, NO_SUCH_QUEUE, NO_SUCH_MESSAGE, NO_SUCH_SIGNAL, NO_SUCH_KEY, NO_SUCH_ROUTE -> NOT_FOUND;
            case RUN_ENDED, KEY_REUSED, NOT_ALLOWED, WORKFLOW_ID_HELD, UNIQUE_CONFLICT -> CONFLICT;
            case WORKFLOW_ID_MISMATCH, DOES_NOT_FIT, QUEUE_DIFFERS, QUEUE_NOT_EMPTY, LEASE_LOST, REQUEST_REUSED ->
                CONFLICT;
            case HISTORY_FULL, RUN_FAILED, RUN_CANCELLED, NO_RESULT_YET, RUN_PARKED -> CONFLICT;
            case UNKNOWN_EVENT, DAMAGED_EVENT, HISTORY_MISMATCH, MISSING_STEP, HISTORY_TOO_LARGE -> CONFLICT;
            case VALUE_TOO_LARGE, BODY_TOO_LARGE -> TOO_LARGE;
            case WRONG_MEDIA_TYPE -> UNSUPPORTED;
            case INVALID_NAME, INVALID_KEY, JSON_TOO_DEEP, OUT_OF_BOUNDS, MALFORMED_COMMIT -> UNPROCESSABLE;
            case NO_JSON_FORM, UNFIT_VALUE, BAD_VALUE, DELAY_TOO_LONG, INVALID_FIELD -> UNPROCESSABLE;
            case NAME_REUSED, SUSPENSION_CAUGHT, WRONG_THREAD, CONTEXT_ENDED, INSIDE_STEP -> UNPROCESSABLE;
            case NOT_IN_STEP, REGISTRATION, VERSION_MISMATCH, NO_NEXT, NO_SUCH_ENTRY -> UNPROCESSABLE;
            case TOO_MANY_REQUESTS, MAILBOX_FULL -> TOO_MANY;
            case OUTCOME_UNKNOWN, LANE_REWOUND, STORE_CLOSED, STORE_FULL, STORE_BUSY -> UNAVAILABLE;
            case NOT_A_STORE, STORE_NEWER, STORE_UNREACHABLE, NETWORK_FILE_SYSTEM, STORE_URL -> UNAVAILABLE;
            case STORE_OWNED, STORE_DAMAGED, STORE_FAILED, STORE_OUTDATED, SERVER_UNREACHABLE -> UNAVAILABLE;
            case FAULT, OUTPUT_LOST, DEMO_FAILED, PROBLEMS_FOUND, SERVER_SETTINGS -> FAULT;
        };
    }

    /** Whether whoever is answered so may ask again after a while. */
    public static boolean isPassing(int status) {
        return status == TOO_MANY || status == UNAVAILABLE;
    }
}
