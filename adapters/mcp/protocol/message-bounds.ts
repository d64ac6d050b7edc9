/*
 * Bounds of messages, whatever carries them. They are limits of this server: the protocol has none.
 */

/** The maximum size of one message, or of a batch, in bytes of UTF-8 (EDGE-011). */
export const maxMessageBytes = 4 << 20;

/** The maximum number of messages in a batch. */
export const maxBatchLength = 100;

/** The maximum number of one client's requests under way, where it sends them all on one line. */
export const maxRequestsUnderWay = 100;
