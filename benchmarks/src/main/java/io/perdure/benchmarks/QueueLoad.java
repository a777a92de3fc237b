package io.perdure.benchmarks;

/** Messages that go through one queue. */
final class QueueLoad implements TablesLoad {
    private final Engine engine;
    private final Trips trips;

    QueueLoad(String store) {
        engine = Engine.open(store);
        trips = new Trips(engine.queue(), Trips.IN_FLIGHT);
    }

    @Override
    public void during(Stopwatch.Wait wait) {
        trips.measure(new Stopwatch(() -> {}, wait, trips::wake), engine::effort);
        trips.drain();
    }

    @Override
    public long done() {
        return trips.acknowledged();
    }

    @Override
    public void close() {
        engine.close();
    }
}
