/** A real Postgres of one's own, for tests and benchmarks. */
module io.perdure.postgres {
    // The archive of the server's programs is a jar without a package, found as a resource: nothing to require.
    requires org.tukaani.xz;
    requires static org.jspecify;

    exports io.perdure.postgres;
}
