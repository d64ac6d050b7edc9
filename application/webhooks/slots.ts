import { calledServices } from '#domain/reactions/step.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import type { Lane } from '#domain/webhooks/lane.ts';

/**
 * The maximum numbers of deliveries in flight: in total, per service (as sender or as the one called), and per lane.
 */
export type SlotShares = Readonly<{ all: number; service: number; lane: number }>;

/**
 * The default shares. One service leaves a quarter of all slots to the others; a lane gets a third of a service's
 * share, so that a slow recipient of pushes leaves slots to its sender's other deliveries.
 */
export const defaultShares: SlotShares = { all: 32, service: 24, lane: 8 };

/** Returns all possible lanes for the services that send webhooks; a sender is called for the records of its events. */
export function allLanes(senders: readonly ServiceKey[]): readonly Lane[] {
  return senders.flatMap((from) => [...new Set([null, ...calledServices, from])].map((calls) => ({ from, calls })));
}

/** Limits the number of deliveries in flight by lane. */
export class Slots {
  readonly #shares: SlotShares;
  readonly #onRoom: () => void;
  readonly #limits: () => Readonly<{ all: number; alike: number }>;
  /** By the claimed entry itself: a process may claim an entry again before it has ended a lost claim of it. */
  readonly #held = new Map<object, Lane>();
  /** The lanes that had no room after the last claim, and how many entries each held. */
  #full: readonly (readonly [Lane, number])[] = [];

  /**
   * Creates the slots; `onRoom` is called whenever a lane may have room again. `limits` may lower their number, and that
   * of those that call the same service, or none.
   */
  constructor(
    shares: SlotShares = defaultShares,
    onRoom: () => void = () => {},
    limits: () => Readonly<{ all: number; alike: number }> = () => ({ all: shares.all, alike: shares.all }),
  ) {
    this.#shares = shares;
    this.#onRoom = onRoom;
    this.#limits = limits;
  }

  /** Returns how many more entries of the lane may be started. */
  room(lane: Lane): number {
    return Math.max(0, Math.min(this.#shares.lane - this.#count(lane), this.#roomBeside(lane)));
  }

  /** Returns how many more entries of the lane its services, and all together, leave room for. */
  #roomBeside(lane: Lane): number {
    const { all, service } = this.#shares;
    const limits = this.#limits();
    let [fromService, toService] = [0, 0];
    for (const { from, calls } of this.#held.values()) {
      if (from === lane.from) fromService += 1;
      if (calls === lane.calls) toService += 1;
    }
    const called = lane.calls === null ? service : service - toService;
    const alike = Math.min(called, limits.alike - toService);
    return Math.min(Math.min(all, limits.all) - this.#held.size, service - fromService, alike);
  }

  /**
   * Returns the lanes that have room, each with its own, and how many entries may be started from all of them, so that
   * no share is exceeded whichever lanes the entries belong to.
   */
  offer(lanes: readonly Lane[]): Readonly<{ limit: number; lanes: readonly (Lane & Readonly<{ most: number }>)[] }> {
    const offered = lanes.map((lane) => ({ ...lane, most: this.room(lane) })).filter(({ most }) => most > 0);
    const limits = offered.map((lane) => this.#roomBeside(lane));
    return { limit: Math.min(...limits), lanes: offered };
  }

  /** Records that entries were claimed: of the lanes that have no room more may be due. */
  filled(lanes: readonly Lane[]): void {
    const full = lanes.filter((lane) => this.room(lane) === 0).map((lane) => [lane, this.#count(lane)] as const);
    this.#full = full.filter(([, count]) => count > 0);
  }

  /** Whether at least half of the slots of a lane that was full then are free again. */
  isHalfFree(): boolean {
    return this.#full.some(([lane, count]) => this.#count(lane) <= count / 2);
  }

  #count(lane: Lane): number {
    let alike = 0;
    for (const { from, calls } of this.#held.values()) if (from === lane.from && calls === lane.calls) alike += 1;
    return alike;
  }

  /** Assigns a slot to an entry; the caller checks `room` first. */
  take(entry: object, lane: Lane): void {
    this.#held.set(entry, lane);
  }

  /** Moves the entry to the lane that calls that service; false, with nothing changed, when it has no room. */
  moveTo(entry: object, service: ServiceKey): boolean {
    const lane = this.#held.get(entry);
    if (lane === undefined) return false;
    if (lane.calls === service) return true;
    const next = { from: lane.from, calls: service };
    this.#held.delete(entry);
    const hasRoom = this.room(next) > 0;
    this.#held.set(entry, hasRoom ? next : lane);
    if (hasRoom) this.#onRoom();
    return hasRoom;
  }

  /** Releases the entry's slot. */
  free(entry: object): void {
    this.#held.delete(entry);
    this.#onRoom();
  }
}
