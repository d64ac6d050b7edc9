import type { ApprovalFloor } from '#application/ports/approval-policy.ts';
import type { ServerFacts } from '#application/ports/server-facts.ts';
import type { Effect } from '#domain/operations/effect.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';

/** What an administrator has asked of every app: effects by service. */
export type Floor = Readonly<Record<ServiceKey, readonly AskedEffect[]>>;

/** The effects that can be asked about. */
export const askedEffects = ['add', 'change', 'lose', 'reach'] as const;

/** One of them. */
export type AskedEffect = (typeof askedEffects)[number];

type ApprovalFloorsDependencies = Readonly<{
  facts: Pick<ServerFacts, 'find' | 'replace'>;
  /** Reads a stored floor; what it cannot read counts as nothing. */
  parse: (stored: string) => Floor;
  /** Has all servers load it again. */
  publish: () => void;
  /** Whether changes by other servers are received. */
  isHearing: () => boolean;
  /** A monotonic clock in ms. */
  now: () => number;
}>;

const fact = 'approval_floor';
/** How long it is used while changes by other servers are not received, in ms. */
const unheardMs = 1_000;

/** What an administrator has asked first, of every app; kept in memory, and stored with the server's facts. */
export class ApprovalFloors implements ApprovalFloor {
  readonly #dependencies: ApprovalFloorsDependencies;
  #floor: Floor = {};
  #loadedAt = 0;

  constructor(dependencies: ApprovalFloorsDependencies) {
    this.#dependencies = dependencies;
  }

  /** What is asked. */
  get floor(): Floor {
    return this.#floor;
  }

  /** Loads what is stored. */
  async load(): Promise<void> {
    const { facts, parse, now } = this.#dependencies;
    this.#loadedAt = now();
    const stored = await facts.find(fact);
    this.#floor = stored === null ? {} : parse(stored);
  }

  /** Replaces what is asked, on all servers. */
  async replace(floor: Floor): Promise<void> {
    await this.#dependencies.facts.replace(fact, JSON.stringify(floor));
    await this.load();
    this.#dependencies.publish();
  }

  asks(service: ServiceKey, effect: Effect): boolean {
    const { isHearing, now } = this.#dependencies;
    if (!isHearing() && now() - this.#loadedAt > unheardMs) void this.load().catch(() => undefined);
    const asked = Object.hasOwn(this.#floor, service) ? this.#floor[service] : undefined;
    return asked?.some((one) => one === effect) === true;
  }
}
