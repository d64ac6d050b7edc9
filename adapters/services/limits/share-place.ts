/**
 * A server's place among those that use a connection: how many there are, how many rank before it (indivisible points
 * go to the first ones), and their announced use of a budget in its window.
 */
export type SharePlace = Readonly<{ sharers: number; rank: number; announcedUseOf(budget: string): AnnouncedUse }>;

/** The announced use of a budget: `own` is this server's as received by all, `latest` its most recent announcement. */
export type AnnouncedUse = Readonly<{ own: number; latest: number; others: number }>;
