package io.perdure.cli;

import io.perdure.sdk.ErrorCode;

/**
 * What is known about one error. The three texts come from its page in {@code docs/errors/}, which the build puts into
 * the jar; they are empty where a page lacks them.
 */
record ErrorPage(
        String code, String name, String title, String remedy, String whatHappened, String why, String whatToDo) {
    static ErrorPage of(ErrorCode error) {
        String page = PackedText.of("errors/" + error.code() + ".md");
        return new ErrorPage(
                error.code(),
                error.name(),
                error.title(),
                error.remedy(),
                section(page, "## What happened"),
                section(page, "## Why"),
                section(page, "## What to do"));
    }

    private static String section(String page, String heading) {
        int start = page.indexOf("\n" + heading + "\n");
        if (start < 0) {
            return "";
        }
        String rest = page.substring(start + heading.length() + 2);
        int end = rest.indexOf("\n## ");
        String text = (end < 0 ? rest : rest.substring(0, end)).strip();
        // A page breaks its lines where its author did; a terminal breaks them elsewhere.
        return text.replaceAll("(?<!\n)\n(?!\n)", " ");
    }
}
