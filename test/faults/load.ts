import {
  type Kind,
  type Marked,
  marked,
  noteKinds,
  type Sending,
  sendUntilAcknowledged,
} from '#test/faults/deliveries.ts';
import { newTally, type Tally } from '#test/faults/row.ts';
import type { Stand } from '#test/faults/stand.ts';

/** A load of deliveries: their kinds in turn, over so many records of each. */
export type Load = Readonly<{ kinds?: readonly Kind[]; records?: number; count: number }>;

/** The deliveries of a load, in the order in which they happened. */
export function deliveriesOf({ kinds = noteKinds, records = 5, count }: Load): readonly Marked[] {
  return Array.from({ length: count }, (_, index) => {
    const kind = kinds[index % kinds.length] ?? 'deal';
    return marked(kind, String(1 + (Math.floor(index / kinds.length) % records)));
  });
}

/** Sends each until it is acknowledged, those of one record one after the other; what came of it. */
export async function sendAll(
  stand: Pick<Stand, 'baseUrl'>,
  deliveries: readonly Marked[],
  more: Readonly<{ tally?: Tally; onAcknowledged?: (tally: Tally) => void } & Omit<Sending, 'baseUrl'>> = {},
): Promise<Tally> {
  const { tally = newTally(), onAcknowledged, ...sending } = more;
  const queues = Map.groupBy(deliveries, ({ kind, record }) => `${kind} ${record}`);
  const onStatus: Sending['onStatus'] = (status, response, tookMs) => {
    tally.statuses[status] = (tally.statuses[status] ?? 0) + 1;
    sending.onStatus?.(status, response, tookMs);
  };
  const options = { ...sending, baseUrl: () => stand.baseUrl, onStatus };
  await Promise.all(
    [...queues.values()].map(async (queue) => {
      for (const one of queue) {
        await sendUntilAcknowledged(one, options);
        tally.acknowledged.push(one);
        onAcknowledged?.(tally);
      }
    }),
  );
  return tally;
}
