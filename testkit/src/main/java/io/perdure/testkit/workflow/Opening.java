package io.perdure.testkit.workflow;

import io.perdure.core.OpenOptions;
import io.perdure.core.Perdure;
import io.perdure.sdk.engine.Engine;
import java.util.function.Supplier;

/** How the suites come to an engine: in the same process, or at the other end of HTTP. */
public interface Opening {
    /** The URL of a store that nobody has used. */
    String freshUrl();

    /** Opens an engine over the store at this URL, where others may be open; the caller closes it. */
    Engine open(String url, OpenOptions options);

    /** Opens engines in this process, over stores at the URLs that this gives. */
    static Opening embedded(Supplier<String> freshUrls) {
        return new Opening() {
            @Override
            public String freshUrl() {
                return freshUrls.get();
            }

            @Override
            public Engine open(String url, OpenOptions options) {
                return Perdure.open(url, options);
            }
        };
    }
}
