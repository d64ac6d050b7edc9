import { calledServices } from '#domain/reactions/step.ts';
import { type ServiceKey, webhookServiceKeys } from '#domain/services/service-key.ts';
import type { Lane } from '#domain/webhooks/lane.ts';

/** How many deliveries are worked on at a time: in all, for one service, be it the sender or the one called, and in one lane. */
export type SlotShares = Readonly<{ all: number; service: number; lane: number }>;

/**
 * The usual shares. One service leaves a quarter of all slots to the others; a lane is a third of a service's share, so that
 * a service which is slow to be pushed into leaves its sender's other deliveries their slots.
 */
export const usualShares: SlotShares = { all: 32, service: 24, lane: 8 };

/** Every lane that there may be. */
export function allLanes(): readonly Lane[] {
  return webhookServiceKeys.flatMap((from) => [null, ...calledServices].map((calls) => ({ from, calls })));
}

/** The slots in which deliveries are worked on, and which of them has which lane. */
export class Slots {
  readonly #shares: SlotShares;
  readonly #onRoom: () => void;
  readonly #held = new Map<number, Lane>();

  /** `onRoom` is told whenever a lane has room again. */
  constructor(shares: SlotShares = usualShares, onRoom: () => void = () => {}) {
    this.#shares = shares;
    this.#onRoom = onRoom;
  }

  /** How many more of the lane may be worked on. */
  room(lane: Lane): number {
    const { all, service, lane: each } = this.#shares;
    const held = [...this.#held.values()];
    const count = (isLike: (other: Lane) => boolean) => held.filter(isLike).length;
    const rooms = [
      all - held.length,
      each - count(({ from, calls }) => from === lane.from && calls === lane.calls),
      service - count(({ from }) => from === lane.from),
      lane.calls === null ? service : service - count(({ calls }) => calls === lane.calls),
    ];
    return Math.max(0, Math.min(...rooms));
  }

  /** Gives an entry a slot; it has been asked for room before. */
  take(seq: number, lane: Lane): void {
    this.#held.set(seq, lane);
  }

  /** Has the entry call that service from now on; false, and nothing changed, where that has no room for another. */
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

  /** Gives the slot back. */
  free(seq: number): void {
    this.#held.delete(seq);
    this.#onRoom();
  }
}
