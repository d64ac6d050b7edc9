import { calledServices } from '#domain/reactions/step.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import type { Lane } from '#domain/webhooks/lane.ts';

/**
 * The numbers of deliveries that are processed at a time: in all, for one service, as sender or as the one called, and
 * in one lane.
 */
export type SlotShares = Readonly<{ all: number; service: number; lane: number }>;

/**
 * The default shares. One service leaves a quarter of all slots to the others; a lane is a third of a service's share,
 * so that a service that is slow to receive pushes leaves slots to its sender's other deliveries.
 */
export const usualShares: SlotShares = { all: 32, service: 24, lane: 8 };

/** Returns all possible lanes of the services that send webhooks. */
export function allLanes(senders: readonly ServiceKey[]): readonly Lane[] {
  return senders.flatMap((from) => [null, ...calledServices].map((calls) => ({ from, calls })));
}

/** Limits how many deliveries are processed at a time, by their lanes. */
export class Slots {
  readonly #shares: SlotShares;
  readonly #onRoom: () => void;
  readonly #held = new Map<number, Lane>();

  /** Creates the slots; `onRoom` is called whenever a lane has room again. */
  constructor(shares: SlotShares = usualShares, onRoom: () => void = () => {}) {
    this.#shares = shares;
    this.#onRoom = onRoom;
  }

  /** Returns how many more entries of the lane may be processed. */
  room(lane: Lane): number {
    const { all, service, lane: each } = this.#shares;
    let [alike, fromService, toService] = [0, 0, 0];
    for (const { from, calls } of this.#held.values()) {
      if (from === lane.from) fromService += 1;
      if (calls === lane.calls) toService += 1;
      if (from === lane.from && calls === lane.calls) alike += 1;
    }
    const called = lane.calls === null ? service : service - toService;
    return Math.max(0, Math.min(all - this.#held.size, each - alike, service - fromService, called));
  }

  /** Gives an entry a slot, after a check of `room`. */
  take(seq: number, lane: Lane): void {
    this.#held.set(seq, lane);
  }

  /** Moves the entry to the lane that calls that service; false, and nothing changed, when that has no room. */
  turnTo(seq: number, service: ServiceKey): boolean {
    const lane = this.#held.get(seq);
    if (lane === undefined) return false;
    if (lane.calls === service) return true;
    const next = { from: lane.from, calls: service };
    this.#held.delete(seq);
    const hasRoom = this.room(next) > 0;
    this.#held.set(seq, hasRoom ? next : lane);
    if (hasRoom) this.#onRoom();
    return hasRoom;
  }

  /** Releases the entry's slot. */
  free(seq: number): void {
    this.#held.delete(seq);
    this.#onRoom();
  }
}
