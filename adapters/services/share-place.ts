/**
 * A server's place among those that use a connection: how many they are, how many of them come before this one (whole points
 * that cannot be shared are the first ones'), and what they have said that they used of a budget in its window.
 */
export type SharePlace = Readonly<{ sharers: number; rank: number; saidOf(budget: string): SaidUse }>;

/** What servers said that they used of a budget: `own` is this one's as all have heard it, `latest` as it was said last. */
export type SaidUse = Readonly<{ own: number; latest: number; others: number }>;
