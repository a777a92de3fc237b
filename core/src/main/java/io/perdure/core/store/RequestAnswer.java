package io.perdure.core.store;

/**
 * What a request was answered over HTTP.
 *
 * @param status of HTTP
 * @param mediaType of the body; empty where there is none
 * @param body to the letter; empty where there is none
 */
public record RequestAnswer(int status, String mediaType, String body) {}
