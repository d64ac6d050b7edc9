/** How many rows a database is filled with. */
export type GrownSize = Readonly<{
  deliveries: number;
  dead: number;
  waiting: number;
  activities: number;
  users: number;
  connections: number;
  grants: number;
  keptChanges: number;
  reactions: number;
  notes: number;
}>;

/** What a year leaves. */
const aYear: GrownSize = {
  deliveries: 1_000_000,
  dead: 500,
  waiting: 200,
  activities: 5_000_000,
  users: 20_000,
  connections: 40_000,
  grants: 60_000,
  keptChanges: 10_000,
  reactions: 300,
  notes: 100_000,
};

/** What a server is compared with: as much as fills one page of every list, so that both show as much. */
export const firstWeek: GrownSize = {
  deliveries: 400,
  dead: 60,
  waiting: 60,
  activities: 800,
  users: 120,
  connections: 240,
  grants: 360,
  keptChanges: 100,
  reactions: 60,
  notes: 200,
};

/** A part of a year, but of nothing less than fills a page. */
export function grownSize(scale: number): GrownSize {
  const part = (name: keyof GrownSize): number => Math.max(firstWeek[name], Math.round(aYear[name] * scale));
  return {
    deliveries: part('deliveries'),
    dead: part('dead'),
    waiting: part('waiting'),
    activities: part('activities'),
    users: part('users'),
    connections: part('connections'),
    grants: part('grants'),
    keptChanges: part('keptChanges'),
    reactions: part('reactions'),
    notes: part('notes'),
  };
}
