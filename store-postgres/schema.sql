-- What the migrations make, by name. Rewritten by a test.

CREATE INDEX claimed_key_by_expiry ON perdure.claimed_key USING btree (expires_at) WHERE (expires_at IS NOT NULL);

CREATE INDEX claimed_key_by_holder ON perdure.claimed_key USING btree (tenant, holder) WHERE (expires_at IS NULL);

CREATE INDEX lane_batch_by_age ON perdure.lane_batch USING btree (at);

CREATE INDEX message_by_expiry ON perdure.message USING btree (expires_at);

CREATE INDEX message_by_group ON perdure.message USING btree (queue, group_key, group_seq) WHERE (group_seq > 0);

CREATE INDEX message_by_ready ON perdure.message USING btree (queue, blocked, ready_at, id);

CREATE INDEX queue_count_by_lane ON perdure.queue_count USING btree (lane) WHERE (lane >= '4294967296'::bigint);

CREATE INDEX queue_due_by_lane ON perdure.queue_due USING btree (lane) WHERE (lane >= '4294967296'::bigint);

CREATE INDEX request_by_age ON perdure.request USING btree (noted_at);

CREATE INDEX run_at_rest_by_retirement ON perdure.run_at_rest USING btree (retires_at, run) WHERE (retires_at IS NOT NULL);

CREATE INDEX run_by_start ON perdure.run USING btree (tenant, started_at, id) WHERE (retention_days >= 0);

CREATE INDEX run_by_workflow ON perdure.run USING btree (tenant, workflow, started_at, id) WHERE (started_at >= 0);

CREATE INDEX run_message_by_deadline ON perdure.run_message USING btree (tenant, deadline, run) WHERE (deadline IS NOT NULL);

CREATE INDEX run_message_by_ready ON perdure.run_message USING btree (queue, tenant, ready_at, run) WHERE (ready_at >= 0);

CREATE SEQUENCE calendar_swept;

CREATE SEQUENCE lane_id_seq;

CREATE SEQUENCE latest_lease;

CREATE SEQUENCE latest_removed_batch;

CREATE SEQUENCE queue_id_seq;

CREATE TABLE api_key (
    id text NOT NULL,
    tenant text NOT NULL,
    name text NOT NULL,
    role text NOT NULL,
    hash text NOT NULL,
    created_at bigint NOT NULL,
    expires_at bigint,
    revoked_at bigint
);

CREATE TABLE claimed_key (
    tenant text NOT NULL,
    scope text NOT NULL,
    within text NOT NULL,
    value text NOT NULL,
    holder uuid NOT NULL,
    detail text NOT NULL,
    expires_at bigint
) WITH (
    autovacuum_vacuum_scale_factor=0.02,
    autovacuum_vacuum_threshold=10000
);

CREATE TABLE event (
    tenant text NOT NULL,
    run uuid NOT NULL,
    seq bigint NOT NULL,
    at bigint NOT NULL,
    until bigint,
    event text NOT NULL
) WITH (
    autovacuum_vacuum_scale_factor=0.05,
    autovacuum_vacuum_insert_scale_factor=0.1
);

CREATE TABLE lane (
    id bigint NOT NULL,
    process uuid NOT NULL,
    number integer NOT NULL,
    folded bigint NOT NULL DEFAULT 0,
    last_used bigint NOT NULL
) WITH (
    fillfactor=20,
    autovacuum_vacuum_scale_factor=0,
    autovacuum_vacuum_threshold=10000
);

CREATE TABLE lane_batch (
    process uuid NOT NULL,
    lane integer NOT NULL,
    number bigint NOT NULL,
    at bigint NOT NULL,
    commits integer NOT NULL,
    digest integer NOT NULL,
    outcomes text[] NOT NULL,
    count_tenant text[],
    count_workflow text[],
    count_status text[],
    count_runs bigint[]
) WITH (
    autovacuum_vacuum_scale_factor=0.05
);

CREATE TABLE lease_repair (
    one boolean NOT NULL DEFAULT true,
    phase integer NOT NULL,
    seen bigint NOT NULL,
    began bigint NOT NULL,
    restarted bigint NOT NULL,
    done boolean NOT NULL,
    runs_done boolean NOT NULL,
    run_queue text NOT NULL,
    run_tenant text NOT NULL,
    run_ready bigint NOT NULL,
    run uuid NOT NULL,
    queue bigint NOT NULL,
    message_ready bigint NOT NULL,
    message uuid NOT NULL
) WITH (
    fillfactor=20
);

CREATE TABLE message (
    tenant text NOT NULL,
    id uuid NOT NULL,
    queue bigint NOT NULL,
    ready_at bigint NOT NULL,
    expires_at bigint NOT NULL,
    sent_at bigint NOT NULL,
    token uuid,
    lease_micros bigint NOT NULL DEFAULT 0,
    deliveries integer NOT NULL DEFAULT 0,
    earlier_deliveries integer NOT NULL DEFAULT 0,
    group_key text,
    group_seq bigint NOT NULL DEFAULT 0,
    blocked boolean NOT NULL DEFAULT false,
    first_delivered bigint,
    last_delivered bigint,
    headers text,
    body text NOT NULL,
    last_error text,
    dead_origin text,
    dead_reason text,
    dead_at bigint,
    dead_deliveries integer
) WITH (
    fillfactor=80,
    autovacuum_vacuum_scale_factor=0.01,
    autovacuum_vacuum_threshold=20000,
    autovacuum_vacuum_insert_scale_factor=0.2,
    autovacuum_analyze_scale_factor=0.2,
    autovacuum_vacuum_cost_delay=0
);

CREATE TABLE migration (
    number integer NOT NULL,
    name text NOT NULL,
    sha256 text NOT NULL,
    readable_since integer NOT NULL,
    applied_at timestamp with time zone NOT NULL DEFAULT now(),
    applied_by text NOT NULL DEFAULT SESSION_USER
);

CREATE TABLE queue (
    id bigint NOT NULL,
    tenant text NOT NULL,
    name text NOT NULL,
    visibility_millis bigint NOT NULL,
    retries integer NOT NULL,
    dead_letters boolean NOT NULL,
    retention_millis bigint NOT NULL,
    dead_letter_retention_millis bigint NOT NULL,
    max_delay_millis bigint NOT NULL
);

CREATE TABLE queue_count (
    queue bigint NOT NULL,
    lane bigint NOT NULL,
    came_in bigint NOT NULL DEFAULT 0,
    went_out bigint NOT NULL DEFAULT 0,
    retried bigint NOT NULL DEFAULT 0,
    dead_lettered bigint NOT NULL DEFAULT 0,
    expired bigint NOT NULL DEFAULT 0
) WITH (
    fillfactor=20,
    autovacuum_vacuum_scale_factor=0,
    autovacuum_vacuum_threshold=10000
);

CREATE TABLE queue_due (
    queue bigint NOT NULL,
    bits smallint NOT NULL,
    slot bigint NOT NULL,
    lane bigint NOT NULL,
    delayed bigint NOT NULL,
    leased bigint NOT NULL
) WITH (
    fillfactor=50,
    autovacuum_vacuum_scale_factor=0,
    autovacuum_vacuum_threshold=10000
);

CREATE TABLE queue_group (
    queue bigint NOT NULL,
    group_key text NOT NULL,
    newest bigint NOT NULL
) WITH (
    fillfactor=70,
    autovacuum_vacuum_scale_factor=0.01,
    autovacuum_vacuum_threshold=10000
);

CREATE TABLE request (
    tenant text NOT NULL,
    id uuid NOT NULL,
    noter uuid NOT NULL,
    digest text NOT NULL,
    noted_at bigint NOT NULL,
    status integer,
    media_type text,
    body bytea
) WITH (
    autovacuum_vacuum_scale_factor=0.01,
    autovacuum_vacuum_threshold=20000,
    autovacuum_vacuum_cost_delay=0
);

CREATE TABLE run (
    tenant text NOT NULL,
    id uuid NOT NULL,
    workflow text NOT NULL,
    version_named integer,
    version integer,
    kind text,
    status text NOT NULL,
    input text NOT NULL,
    writes text,
    output text,
    error text,
    idempotency_key text,
    workflow_id text,
    parent uuid,
    tags text,
    retention_days integer NOT NULL,
    wakes bigint NOT NULL DEFAULT 0,
    deadline bigint,
    started_at bigint NOT NULL,
    completed_at bigint
) WITH (
    fillfactor=60,
    autovacuum_vacuum_scale_factor=0.02,
    autovacuum_vacuum_threshold=20000
);

CREATE TABLE run_at_rest (
    tenant text NOT NULL,
    workflow text NOT NULL,
    status text NOT NULL,
    at bigint NOT NULL,
    run uuid NOT NULL,
    retires_at bigint
) WITH (
    autovacuum_vacuum_scale_factor=0.05
);

CREATE TABLE run_count (
    tenant text NOT NULL,
    workflow text NOT NULL,
    status text NOT NULL,
    lane bigint NOT NULL,
    runs bigint NOT NULL
) WITH (
    fillfactor=20,
    autovacuum_vacuum_scale_factor=0,
    autovacuum_vacuum_threshold=10000
);

CREATE TABLE run_message (
    tenant text NOT NULL,
    run uuid NOT NULL,
    deadline bigint,
    queue text NOT NULL,
    ready_at bigint NOT NULL,
    token uuid,
    lease_micros bigint NOT NULL DEFAULT 0,
    lapses integer NOT NULL DEFAULT 0,
    leased_at_seq bigint NOT NULL DEFAULT 0,
    wake_on text[] NOT NULL DEFAULT '{}'::text[]
) WITH (
    fillfactor=70,
    autovacuum_vacuum_scale_factor=0.01,
    autovacuum_vacuum_threshold=20000,
    autovacuum_vacuum_cost_delay=0
);

CREATE TABLE run_tag (
    tenant text NOT NULL,
    name text NOT NULL,
    value text NOT NULL,
    started_at bigint NOT NULL,
    run uuid NOT NULL
) WITH (
    autovacuum_vacuum_scale_factor=0.05
);

CREATE TABLE signal (
    tenant text NOT NULL,
    run uuid NOT NULL,
    number bigint NOT NULL,
    event text NOT NULL,
    payload text NOT NULL,
    at bigint NOT NULL
) WITH (
    autovacuum_vacuum_scale_factor=0.02,
    autovacuum_vacuum_threshold=10000
);

CREATE TABLE worker (
    tenant text NOT NULL,
    process uuid NOT NULL,
    name text NOT NULL,
    served text NOT NULL,
    concurrency integer NOT NULL,
    since bigint NOT NULL,
    until bigint NOT NULL
) WITH (
    fillfactor=50,
    autovacuum_vacuum_scale_factor=0,
    autovacuum_vacuum_threshold=1000
);

CREATE UNIQUE INDEX api_key_pkey ON perdure.api_key USING btree (id);

CREATE UNIQUE INDEX claimed_key_pkey ON perdure.claimed_key USING btree (tenant, scope, within, value);

CREATE UNIQUE INDEX event_pkey ON perdure.event USING btree (run, seq, tenant);

CREATE UNIQUE INDEX lane_batch_pkey ON perdure.lane_batch USING btree (process, lane, number);

CREATE UNIQUE INDEX lane_pkey ON perdure.lane USING btree (process, number);

CREATE UNIQUE INDEX lease_repair_pkey ON perdure.lease_repair USING btree (one);

CREATE UNIQUE INDEX message_by_id ON perdure.message USING btree (id, tenant);

CREATE UNIQUE INDEX migration_pkey ON perdure.migration USING btree (number);

CREATE UNIQUE INDEX queue_count_pkey ON perdure.queue_count USING btree (queue, lane);

CREATE UNIQUE INDEX queue_due_pkey ON perdure.queue_due USING btree (queue, bits, slot, lane);

CREATE UNIQUE INDEX queue_group_pkey ON perdure.queue_group USING btree (queue, group_key);

CREATE UNIQUE INDEX queue_pkey ON perdure.queue USING btree (id);

CREATE UNIQUE INDEX queue_tenant_name_key ON perdure.queue USING btree (tenant, name);

CREATE UNIQUE INDEX request_pkey ON perdure.request USING btree (id, tenant);

CREATE UNIQUE INDEX run_at_rest_pkey ON perdure.run_at_rest USING btree (tenant, workflow, status, at, run);

CREATE UNIQUE INDEX run_count_pkey ON perdure.run_count USING btree (tenant, workflow, status, lane);

CREATE UNIQUE INDEX run_message_pkey ON perdure.run_message USING btree (run, tenant);

CREATE UNIQUE INDEX run_pkey ON perdure.run USING btree (id, tenant);

CREATE UNIQUE INDEX run_tag_pkey ON perdure.run_tag USING btree (tenant, name, value, started_at, run);

CREATE UNIQUE INDEX signal_pkey ON perdure.signal USING btree (run, number, tenant);

CREATE UNIQUE INDEX worker_pkey ON perdure.worker USING btree (tenant, process);

FUNCTION acknowledge_1(bigint,text[],integer[],uuid[],uuid[]);

FUNCTION add_key_1(text,text,text,text,text,bigint);

FUNCTION advance_1(jsonb,bigint,bigint,bigint[]);

FUNCTION advance_all_2(bigint,bigint,boolean,boolean,text[],uuid[],integer[],uuid[],uuid[],bigint[],bigint[],text[],integer[],integer[],bigint[],bigint[],text[],integer[],text[],text[],text[],bigint[]);

FUNCTION announce_1(text,uuid,text,text,integer,bigint);

FUNCTION answer_request_1(text,uuid,uuid,integer,text,bytea);

FUNCTION answered_1(uuid,integer,bigint);

FUNCTION append_2(text,uuid,bigint,jsonb,bigint,bigint);

FUNCTION append_all_1(bigint,boolean,boolean[],text[],integer[],uuid[],bigint[],bigint[],text[]);

FUNCTION apply_1(jsonb,bigint,bigint,bigint[]);

FUNCTION bind_key_1(text,text,text,text,uuid,text,bigint,bigint);

FUNCTION binds_1(text,text,text,text,uuid);

FUNCTION both_ready_1(text[],text[]);

FUNCTION calendar_1(bigint,bigint[],bigint[],bigint[],bigint[]);

FUNCTION calendar_1(message,bigint,bigint);

FUNCTION changed_counts_1(text[],text[],integer[],text[],text[],text[],jsonb[]);

FUNCTION claim_2(text,text[],integer[],text[],integer,uuid,bigint,bigint,bigint[]);

FUNCTION clock_1();

FUNCTION count_1(bigint,bigint,bigint,bigint,bigint,bigint,bigint);

FUNCTION count_run_1(text,text,text,bigint,bigint);

FUNCTION counted_1(run,text);

FUNCTION counting_lane_1(bigint,bigint);

FUNCTION create_queue_1(jsonb);

FUNCTION delete_queue_1(jsonb);

FUNCTION deliver_1(run,text,text,bigint);

FUNCTION discard_1(jsonb,bigint);

FUNCTION door_1(text,text);

FUNCTION due_1(jsonb,bigint);

FUNCTION due_document_1(bigint,bigint);

FUNCTION due_messages_1(bigint,integer,bigint,bigint);

FUNCTION due_messages_after_step_back_1(bigint,integer,bigint);

FUNCTION due_messages_among_1(text,bigint,uuid[],integer,bigint);

FUNCTION due_messages_among_2(text,bigint,uuid[],integer,bigint);

FUNCTION expire_1(message);

FUNCTION extend_2(text[],uuid[],uuid[],bigint[]);

FUNCTION figures_1(text,text);

FUNCTION figures_2(text,text);

FUNCTION fixed_1(bigint,bigint);

FUNCTION flush_2(uuid,integer,bigint,integer,integer,bigint[],boolean,text[],integer[],integer[],uuid[],uuid[],integer[],text[],text[],text[],integer[],integer[],uuid[],bigint[],integer[],text[],text[],text[],text[],integer[],text[],text[],uuid[],integer[],text[],text[],text[],uuid[],integer[],bigint[],bigint[],uuid[],bigint[],integer[],integer[],uuid[],uuid[],bigint[],bigint[],text[],integer[],integer[],bigint[],bigint[],text[],integer[],text[],text[],text[],bigint[],uuid[],uuid[],uuid[],text[],text[],text[],text[],uuid[],text[],integer[],text[]);

FUNCTION flush_signal_2(uuid,integer,bigint,integer,bigint[],text,uuid,text,text,text[],uuid,bigint);

FUNCTION flush_start_2(uuid,integer,bigint,integer,text,uuid,text,integer,text,text,text,text,text,uuid,integer,bigint,bigint,uuid,bigint);

FUNCTION flush_step_2(uuid,integer,bigint,integer,bigint[],text,uuid,uuid,bigint,bigint[],text[],integer,text,text,text,bigint,bigint,text);

FUNCTION fold_lane_1(uuid,integer);

FUNCTION fold_lanes_1();

FUNCTION forget_request_1(text,uuid,uuid);

FUNCTION free_key_1(text,text,text,text);

FUNCTION give_up_1(message,queue,text,text,bigint,bigint);

FUNCTION hold_groups_1(bigint[],text[]);

FUNCTION intervene_1(jsonb,bigint,bigint);

FUNCTION is_dead_letters_1(text);

FUNCTION join_group_1(bigint,text);

FUNCTION joined_before_1(integer[],bigint[],text[],integer[],bigint[],text[]);

FUNCTION last_1(text,uuid);

FUNCTION last_event_1(run);

FUNCTION last_used_1(lane);

FUNCTION latest_lease_1(bigint,bigint);

FUNCTION lease_clock_1(bigint);

FUNCTION leased_1(bigint,bigint[],integer[],integer[],bigint[]);

FUNCTION leave_group_1(message);

FUNCTION leave_groups_1(bigint[],text[],bigint[]);

FUNCTION leave_keys_1(text[],text[],text[],text[]);

FUNCTION leave_rest_1(run);

FUNCTION leave_some_groups_1(bigint[],text[],bigint[],boolean[],boolean);

FUNCTION lock_groups_1(bigint[],text[]);

FUNCTION lock_keys_1(text[],text[],text[],text[],uuid[],text[]);

FUNCTION lock_runs_2(uuid[]);

FUNCTION newest_in_lane_1(uuid,integer);

FUNCTION next_in_lane_1(uuid,integer,bigint);

FUNCTION note_request_1(text,uuid,uuid,text);

FUNCTION obstacle_1(text,jsonb);

FUNCTION open_lanes_1(uuid,integer);

FUNCTION present_1(text,uuid[]);

FUNCTION project_2(run,jsonb,bigint,bigint);

FUNCTION purge_1(jsonb,bigint);

FUNCTION put_1(text,jsonb,bigint,bigint,bigint);

FUNCTION put_all_1(text,jsonb,bigint,bigint,bigint);

FUNCTION queue_of_runs_1(text,integer);

FUNCTION receive_2(text,text,integer[],uuid[],bigint[],uuid[],bigint);

FUNCTION redrive_1(jsonb,bigint,bigint);

FUNCTION remove_1(tid[],bigint);

FUNCTION repair_leases_1(bigint,boolean);

FUNCTION request_1(text,uuid);

FUNCTION revoke_key_1(text,text);

FUNCTION run_counts_1(text);

FUNCTION send_1(jsonb,bigint,bigint,bigint);

FUNCTION send_all_1(bigint,bigint,text[],text[],integer[],text[],integer[],integer[],uuid[],bigint[],integer[],text[],text[],integer[],bigint[],text[],bigint[]);

FUNCTION settings_1(queue);

FUNCTION settle_1(jsonb,bigint,bigint,bigint);

FUNCTION shorten_messages_1(lease_repair,bigint);

FUNCTION shorten_runs_1(lease_repair,bigint);

FUNCTION signal_1(jsonb,bigint,bigint[]);

FUNCTION spare_lane_1();

FUNCTION start_1(jsonb,bigint,bigint);

FUNCTION start_all_1(bigint,text[],text[],integer[],text[],text[],uuid[],integer[],text[],text[],text[],uuid[],integer[],bigint[],bigint[],uuid[],bigint[]);

FUNCTION status_1(text,uuid);

FUNCTION step_alone_1(bigint,bigint,bigint[],text,uuid,uuid,bigint,bigint[],text[],integer,text,text,text,bigint,bigint,text);

FUNCTION step_document_1(integer,bigint,text[],integer[],uuid[],uuid[],bigint[],bigint[],text[],integer[],bigint[],text[],integer[],text[],text[],text[],bigint[]);

FUNCTION steps_hold_2(bigint,boolean,integer[],text[],uuid[],integer[],uuid[],uuid[],bigint[],integer[]);

FUNCTION sweep_keys_1(integer);

FUNCTION sweep_lanes_1(integer,bigint,bigint);

FUNCTION sweep_messages_1(integer);

FUNCTION sweep_messages_2(integer);

FUNCTION sweep_requests_1(integer,bigint);

FUNCTION sweep_runs_1(integer);

FUNCTION sweep_workers_1(integer);

FUNCTION tag_1(text,uuid,text,bigint);

FUNCTION untils_1(jsonb,bigint);

FUNCTION update_queue_1(jsonb);

FUNCTION woken_1(text,text[],uuid,uuid);
