/**
 * A server's place among those that use a connection: how many they are, how many of them come before this one (whole points
 * that cannot be shared are the first ones'), and what they have said that they used of a budget in its window.
 */
export type SharePlace = Readonly<{ sharers: number; rank: number; saidOf(budget: string): SaidUse }>;

/** What servers said that they used of a budget: `own` is this one's as all have heard it, `latest` as it was said last. */
export type SaidUse = Readonly<{ own: number; latest: number; others: number }>;

/** The place of a server that is the only one. */
export const alone: SharePlace = { sharers: 1, rank: 0, saidOf: () => ({ own: 0, latest: 0, others: 0 }) };

/**
 * How many points of a budget the server at that place may use in the window: what it said that it used, and its share of what is
 * left by what all have said. The shares of servers that heard the same are the points together.
 */
export function pointsAt(points: number, budget: string, place: SharePlace): number {
  const { own, latest, others } = place.saidOf(budget);
  if (place.sharers === 1) return Math.max(0, points - others);
  return own + shareOf(Math.max(0, points - latest - others), place);
}

/** The share of so many points at that place; all shares together are the points. */
export function shareOf(points: number, { sharers, rank }: Pick<SharePlace, 'sharers' | 'rank'>): number {
  return Math.floor(points / sharers) + (rank < points % sharers ? 1 : 0);
}
