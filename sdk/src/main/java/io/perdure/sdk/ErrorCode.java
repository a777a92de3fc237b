package io.perdure.sdk;

/**
 * Every error a user can meet, each with a page in {@code docs/errors/}. Codes are never reused or renumbered: 0xx is bad
 * input, 1xx a history that cannot be read or does not fit the code, 2xx the store, 3xx a run's state, 4xx a queue's state, 5xx a workflow's code, 6xx the
 * server and who may ask it, 9xx the command line.
 */
public enum ErrorCode {
    INVALID_NAME("PD-001", "Invalid name", "Use the characters and length that the message states."),
    INVALID_KEY("PD-002", "Invalid key", "Use text of 1 to 256 bytes without control characters."),
    VALUE_TOO_LARGE("PD-003", "Value too large", "Store the data elsewhere and pass a reference to it."),
    NOT_JSON("PD-004", "Not a JSON value", "Pass exactly one well-formed JSON value (RFC 8259)."),
    JSON_TOO_DEEP("PD-005", "JSON nested too deep", "Flatten the value, or pass the inner part as a string."),
    INVALID_ID("PD-006", "Invalid id", "Pass the id exactly as Perdure printed it."),
    OUT_OF_BOUNDS("PD-007", "Setting out of bounds", "Choose a value within the bounds that the message names."),
    MALFORMED_COMMIT("PD-008", "Malformed commit", "Correct the caller: the message names the rule that was broken."),

    NO_JSON_FORM(
            "PD-009", "No JSON form", "Use data that Jackson can write: a record, a list, a map, text or numbers."),
    UNFIT_VALUE("PD-010", "JSON does not fit the type", "Ask for a type that the value can be read as."),

    UNKNOWN_EVENT("PD-101", "Unknown event", "Upgrade this process: a newer release of Perdure wrote this event."),
    DAMAGED_EVENT("PD-102", "Damaged event", "Restore the row from a backup; nothing was changed by reading it."),
    HISTORY_MISMATCH(
            "PD-104",
            "Code does not match the history",
            "Register the changed code as a new version, or put the old code back, then resume the run."),
    MISSING_STEP(
            "PD-105",
            "The code has no such step",
            "Put the step back, or move the run to a version that has it, then resume the run."),
    HISTORY_TOO_LARGE(
            "PD-106",
            "Run too large to read",
            "Raise the bound that the message names in all processes over this store, then resume the run."),

    OUTCOME_UNKNOWN("PD-201", "Outcome unknown", "Send the same numbered batch again, or read the run back."),
    LANE_REWOUND("PD-202", "The store went back in time", "Read the runs back: commits answered before may be lost."),
    STORE_CLOSED("PD-203", "The store is closed", "Open the store again; do not use it after close()."),
    STORE_FULL("PD-204", "No room left", "Make room on the disk; nothing was changed, and nothing stored is lost."),
    STORE_BUSY("PD-205", "The store is busy", "Try again; find who holds the database's write lock for so long."),
    NOT_A_STORE("PD-206", "Not a Perdure database", "Name another file; this one was left as it is."),
    STORE_NEWER("PD-207", "Written by a newer Perdure", "Upgrade this process; the data was left as it is."),
    STORE_UNREACHABLE("PD-208", "The store cannot be opened", "Correct the place or its permissions, then open again."),
    NETWORK_FILE_SYSTEM("PD-209", "Network file system", "Use a local disk, or Postgres for several machines."),
    STORE_URL("PD-210", "No store for this URL", "Correct the URL, and have the store's module on the path."),
    STORE_OWNED("PD-211", "Another process runs the workers", "Stop that process, or use Postgres for several."),
    STORE_DAMAGED("PD-212", "The store is damaged", "Stop writing, keep a copy of all its files, restore a backup."),
    STORE_FAILED("PD-213", "The store failed", "Look at the cause; nothing was changed, and trying again is safe."),
    STORE_OUTDATED("PD-214", "The schema is older than this Perdure", "Run `perdure migrate`, then start again."),

    NO_SUCH_RUN("PD-301", "No such run", "Check the run id and the tenant; a swept run is gone for good."),
    RUN_ENDED("PD-302", "The run has ended", "Start a new run."),
    KEY_REUSED("PD-303", "Idempotency key reused with other input", "Use one key for one input."),
    NOT_ALLOWED("PD-304", "Not allowed in this status", "Read the run's status; the message says what it allows."),
    WORKFLOW_ID_HELD("PD-305", "Workflow id held by another run", "Wait for, or cancel, the run that holds it."),
    MAILBOX_FULL("PD-306", "Mailbox full", "Let the run take its signals, or send fewer."),
    NO_SUCH_SIGNAL("PD-307", "No such signal", "Read the run's mailbox again before taking a signal from it."),
    HISTORY_FULL("PD-308", "History full", "Split the work: start a new run that goes on where this one stops."),
    BAD_VALUE("PD-309", "The store refused a value", "Correct the value; the other commits of its batch were applied."),

    RUN_FAILED(
            "PD-310",
            "The run failed",
            "Read its history for the cause; redrive it, or start a new run, when that is mended."),
    RUN_CANCELLED("PD-311", "The run was cancelled", "Start a new run if the work is still wanted."),
    NO_RESULT_YET(
            "PD-312", "No result yet", "Look at where the run stands, as the message says; it can be asked again."),
    UNIQUE_CONFLICT("PD-313", "Somebody else was first", "Read the run again, and decide by what it is now."),
    WORKFLOW_ID_MISMATCH(
            "PD-314",
            "The key leads to another workflow id",
            "Use one idempotency key for one workflow id, or leave the workflow id out."),
    DOES_NOT_FIT(
            "PD-315",
            "The run does not fit that version",
            "Mend that version's code, or move the run to one that fits; nothing was changed."),
    RUN_PARKED(
            "PD-316",
            "The run is parked",
            "Fix the cause, then resume the run as the message says; or ask for a wait that goes on while it is parked."),

    NO_SUCH_QUEUE("PD-401", "No such queue", "Create the queue first."),
    QUEUE_DIFFERS(
            "PD-402", "Queue exists with other settings", "Create it with equal settings, or under another name."),
    NO_SUCH_MESSAGE("PD-403", "No such message", "It was acknowledged, discarded, redriven or has expired."),
    QUEUE_NOT_EMPTY("PD-404", "Queue not empty", "Purge the queue and its dead letters first."),
    DELAY_TOO_LONG("PD-405", "Delay too long for the queue", "Ask for a shorter delay, or let the queue allow more."),
    LEASE_LOST("PD-406", "The lease is lost", "Drop the work: the message was settled, or is with another receiver."),

    NAME_REUSED("PD-501", "Name used twice in one run", "In a loop, add the turn to the name: \"charge-\" + i."),
    SUSPENSION_CAUGHT(
            "PD-502", "The suspension was caught", "Let it pass: catch Exception instead of Throwable or Error."),
    WRONG_THREAD(
            "PD-503", "Context used by another thread", "Use the context only on the thread that runs the workflow."),
    CONTEXT_ENDED("PD-504", "Context used after the end", "Do not keep the context beyond the workflow's code."),
    INSIDE_STEP(
            "PD-505",
            "Context used inside a step",
            "Finish the step first: steps, sleeps and waits stand side by side."),
    NOT_IN_STEP("PD-506", "No attempt under way", "Ask for the attempt inside a step's code only."),
    REGISTRATION("PD-507", "Workflow registered wrongly", "Register each version of a workflow once, before start()."),
    VERSION_MISMATCH(
            "PD-508", "No code for this version", "Register that version here, or ask a process that has its code."),
    NO_NEXT("PD-509", "A step did not say what comes next", "Return Next.step(name) or Next.done(result)."),
    NO_SUCH_ENTRY(
            "PD-510",
            "Nothing was put there",
            "Put the entry in a step before, or ask with find() for one that may miss."),

    NO_VALID_KEY(
            "PD-601", "No valid key", "Send a key that is neither expired nor revoked: Authorization: Bearer pd_..."),
    KEY_NOT_ALLOWED("PD-602", "The key does not allow this", "Use a key of the role that the message names."),
    SERVER_UNREACHABLE(
            "PD-603",
            "The server cannot be reached",
            "Correct its URL, or start it; what was asked can be asked again."),
    PROTOCOL_MISMATCH(
            "PD-604",
            "Client and server are too far apart",
            "Look whether a Perdure server is at that URL; if so, upgrade the older of the two: one release of difference works."),
    TOO_MANY_REQUESTS("PD-605", "Too many requests", "Wait as long as Retry-After says, then ask again."),
    WRONG_MEDIA_TYPE("PD-606", "Not a JSON body", "Send the body as application/json in UTF-8, not compressed."),
    BODY_TOO_LARGE("PD-607", "Request too large", "Send less at once; the message names the bound."),
    NO_SUCH_ROUTE("PD-608", "No such route", "Look at /openapi.json for what the server answers."),
    INVALID_FIELD("PD-609", "Invalid field", "Correct the field that the message names."),
    SERVER_SETTINGS("PD-610", "The server cannot start like this", "Correct the setting that the message names."),
    NO_SUCH_KEY("PD-611", "No such key", "Pass the id as `perdure key list` prints it."),
    REQUEST_REUSED(
            "PD-612",
            "Request id used for another request",
            "Make a fresh id for each request, and keep it only where the same is sent again."),
    MALFORMED_REQUEST(
            "PD-613",
            "Request is not valid HTTP",
            "Correct what the message names. Servers speak HTTP/1.1 and HTTP/1.0."),

    USAGE("PD-901", "Wrong usage", "Run the command with --help."),
    UNKNOWN_CODE("PD-902", "Unknown error code", "Run `perdure explain` for the list of codes."),
    FAULT("PD-903", "A fault in Perdure", "Please report it, with what --stacktrace shows."),
    OUTPUT_LOST(
            "PD-904",
            "Output cannot be written",
            "Make room where it goes; look at what was done before repeating it."),
    DEMO_FAILED("PD-905", "The demo failed", "Look at the files that the message names, and please report it."),
    PROBLEMS_FOUND("PD-906", "Problems were found", "Do what each problem's line advises, then look again.");

    private final String code;
    private final String title;
    private final String remedy;

    ErrorCode(String code, String title, String remedy) {
        this.code = code;
        this.title = title;
        this.remedy = remedy;
    }

    /** The stable code, such as {@code PD-303}: what a user searches for. */
    public String code() {
        return code;
    }

    /** What happened, in a few words. */
    public String title() {
        return title;
    }

    /** What to do about it, in one sentence. */
    public String remedy() {
        return remedy;
    }
}
