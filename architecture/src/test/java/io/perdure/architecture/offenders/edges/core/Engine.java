package io.perdure.architecture.offenders.edges.core;

import io.perdure.architecture.offenders.edges.sdk.SeesCore;
import java.sql.Connection;
import java.util.List;

public record Engine(Connection connection, List<SeesCore> cycle) {
    SeesCore first() {
        return cycle.getFirst();
    }
}
