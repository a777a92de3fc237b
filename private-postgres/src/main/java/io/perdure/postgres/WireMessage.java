package io.perdure.postgres;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** One message of Postgres's wire protocol: a letter, a length, a body. */
final class WireMessage {
    /** A stream that lost its framing would ask for gigabytes. */
    private static final int MOST_BYTES = 1 << 28;

    private final char type;
    private final byte[] body;

    WireMessage(char type, byte[] body) {
        this.type = type;
        this.body = body;
    }

    static WireMessage read(DataInputStream in) throws IOException {
        char type = (char) in.readUnsignedByte();
        return new WireMessage(type, readBody(in));
    }

    /** A body alone, as the first packet of a connection comes. */
    static byte[] readBody(DataInputStream in) throws IOException {
        int length = in.readInt() - Integer.BYTES;
        if (length < 0 || length > MOST_BYTES) {
            throw new IOException("A message of %s bytes is none of Postgres's.".formatted(length));
        }
        byte[] body = new byte[length];
        in.readFully(body);
        return body;
    }

    static void writeBody(DataOutputStream out, byte[] body) throws IOException {
        out.writeInt(body.length + Integer.BYTES);
        out.write(body);
    }

    void write(DataOutputStream out) throws IOException {
        out.writeByte(type);
        writeBody(out, body);
    }

    char type() {
        return type;
    }

    int firstInt() {
        return body.length < Integer.BYTES ? -1 : ByteBuffer.wrap(body).getInt();
    }

    /** The body with a character for each byte. */
    String bytes() {
        return new String(body, StandardCharsets.ISO_8859_1);
    }

    /** The text as {@link #bytes()} would show it. */
    static String bytesOf(String text) {
        return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
    }

    /** One of the zero-terminated words that the body begins with, counted from 0; a character for each byte. */
    String word(int index) {
        String[] words = bytes().split("\0", index + 2);
        return index < words.length ? words[index] : "";
    }

    /** What an ErrorResponse tells: the text after one of its field letters. */
    String errorField(char field) {
        String text = new String(body, StandardCharsets.UTF_8);
        return Arrays.stream(text.split("\0", -1))
                .filter(entry -> !entry.isEmpty() && entry.charAt(0) == field)
                .findFirst()
                .map(entry -> entry.substring(1))
                .orElse("");
    }
}
