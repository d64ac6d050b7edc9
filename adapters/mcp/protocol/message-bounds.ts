/* Limits on messages, whatever the transport. They are limits of this server: the protocol sets none. */

/** The maximum size of one message, or of a batch, in bytes of UTF-8 (EDGE-011). */
export const maxMessageBytes = 4 << 20;

/** The maximum number of messages in a batch. */
export const maxBatchLength = 100;

/** The maximum number of one client's requests in flight, on transports where it sends them all over one connection. */
export const maxRequestsInFlight = 100;
