/** The maximum number of sessions, per user and in total, and how long one may be idle, in ms. */
export type SessionBounds = Readonly<{ perUser: number; all: number; idleMs: number }>;

/** Limits of this server; the protocol sets none. A client that comes back leaves its former session behind. */
export const sessionBounds: SessionBounds = { perUser: 32, all: 20_000, idleMs: 1_800_000 };
