package io.perdure.benchmarks;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The URL of a Postgres, out of which those of schemas in it are made. What it says about a schema of the user's is dropped, so
 * that nothing there is touched.
 *
 * @param place what stands before the question mark
 * @param driver parameters for the driver
 * @param own parameters for Perdure
 */
record ServerUrl(String place, List<String> driver, List<String> own) {
    static final String PREFIX = "jdbc:postgresql://";

    private static final String CONNECTIONS = "perdure.connections=";

    ServerUrl {
        driver = List.copyOf(driver);
        own = List.copyOf(own);
    }

    /** Takes a URL apart; throws {@link IllegalArgumentException} with why not. */
    static ServerUrl parse(String url) {
        if (!url.startsWith(PREFIX)) {
            throw new IllegalArgumentException("a server's URL begins with " + PREFIX);
        }
        String[] halves = url.split("\\?", 2);
        if (halves[0].indexOf('@') >= 0) {
            throw new IllegalArgumentException("user and password are written as ?user=...&password=...");
        }
        List<String> driver = new ArrayList<>();
        List<String> own = new ArrayList<>();
        for (String parameter : halves.length == 1 ? new String[0] : halves[1].split("&")) {
            String name = parameter.split("=", 2)[0].toLowerCase(Locale.ROOT);
            if (name.startsWith("perdure.")) {
                if (!name.equals("perdure.schema") && !name.equals("perdure.migrate")) {
                    own.add(parameter);
                }
            } else if (!parameter.isEmpty() && !name.equals("currentschema")) {
                driver.add(parameter);
            }
        }
        return new ServerUrl(halves[0], driver, own);
    }

    /** For Perdure to open. */
    String store(String schema) {
        List<String> parameters = new ArrayList<>(driver);
        parameters.addAll(own);
        parameters.add("perdure.schema=" + schema);
        return place + "?" + String.join("&", parameters);
    }

    /** The same with a pool of so many connections. */
    String store(String schema, int connections) {
        List<String> others = own.stream()
                .filter(parameter -> !parameter.toLowerCase(Locale.ROOT).startsWith(CONNECTIONS))
                .toList();
        return new ServerUrl(place, driver, others).store(schema) + "&" + CONNECTIONS + connections;
    }

    /** For the driver to open, with the schema's tables in sight. */
    String jdbc(String schema) {
        List<String> parameters = new ArrayList<>(driver);
        parameters.add("currentSchema=" + schema);
        return place + "?" + String.join("&", parameters);
    }
}
