import type { Clock } from '#application/ports/clock.ts';
import type { OtherServers } from '#application/ports/other-servers.ts';
import type { ReactionLog } from '#application/ports/reaction-log.ts';
import { type BuiltInReaction, builtInReactions } from '#domain/reactions/built-in.ts';

type BuiltInSwitchesDependencies = Readonly<{
  log: Pick<ReactionLog, 'switchedOff' | 'setSwitch'>;
  others: OtherServers;
  clock: Clock;
}>;

/** A built-in reaction, and whether it is switched on. */
export type ShownBuiltIn = Omit<BuiltInReaction, 'parts'> & Readonly<{ isOn: boolean }>;

/** How long the switches are cached while changes by other servers are received, in ms. */
const heardMs = 30_000;
const topic = 'reaction switches';

/** Switches built-in reactions on and off; other servers are notified at once. */
export class BuiltInSwitches {
  readonly #dependencies: BuiltInSwitchesDependencies;
  #known: Readonly<{ off: ReadonlySet<string>; readAt: number }> | null = null;
  #changes = 0;

  constructor(dependencies: BuiltInSwitchesDependencies) {
    this.#dependencies = dependencies;
    dependencies.others.subscribe(topic, () => this.#forget());
    dependencies.others.onMissed(() => this.#forget());
  }

  /** Returns the names of the reactions that are switched off. */
  async off(): Promise<ReadonlySet<string>> {
    const { log, others, clock } = this.#dependencies;
    if (this.#known !== null && clock.now() - this.#known.readAt < heardMs) return this.#known.off;
    const changes = this.#changes;
    const off = new Set(await log.switchedOff());
    // A result read during a change is used once and not cached.
    const lasts = changes === this.#changes && (others.isAlone() || others.isHearing());
    this.#known = lasts ? { off, readAt: clock.now() } : null;
    return off;
  }

  /** Lists all built-in reactions. */
  async list(): Promise<readonly ShownBuiltIn[]> {
    const off = new Set(await this.#dependencies.log.switchedOff());
    return builtInReactions.map(({ name, title, does }) => ({ name, title, does, isOn: !off.has(name) }));
  }

  /** Switches one on or off; false when there is none with that name. */
  async set(name: string, isOn: boolean): Promise<boolean> {
    if (!builtInReactions.some((one) => one.name === name)) return false;
    const { log, others } = this.#dependencies;
    await log.setSwitch(name, isOn);
    this.#forget();
    others.publish(topic, {});
    await others.settled();
    return true;
  }

  #forget(): void {
    this.#changes += 1;
    this.#known = null;
  }
}
