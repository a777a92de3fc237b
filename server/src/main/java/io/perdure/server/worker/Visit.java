package io.perdure.server.worker;

import io.perdure.core.workflow.WorkerDesk;

/** A worker that was let in, and where it is served. */
record Visit(HintBoxes.Owner owner, WorkerDesk desk) {}
