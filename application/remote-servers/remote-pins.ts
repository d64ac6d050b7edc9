import type { NoteAct } from '#application/audit/audit.ts';
import { underLease } from '#application/leases/under-lease.ts';
import type { Clock } from '#application/ports/clock.ts';
import type { Leases } from '#application/ports/leases.ts';
import type { PinnedTools } from '#application/ports/pinned-tools.ts';
import type { Random } from '#application/ports/random.ts';
import { canonicalJson } from '#domain/json/canonical-json.ts';
import {
  accepting,
  afterListing,
  choosing,
  type PinnedList,
  type ToolSettings,
} from '#domain/remote-servers/pinned-list.ts';
import type { RemoteTool } from '#domain/remote-servers/remote-tool.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import { err, ok, type Result } from '#domain/shared/result.ts';

type RemotePinsDependencies = Readonly<{
  store: PinnedTools;
  leases: Leases;
  random: Random;
  clock: Clock;
  note: NoteAct;
  /** Has all servers load the list of this service again. */
  publish: (service: ServiceKey) => void;
  pause: (ms: number) => Promise<void>;
}>;

/** Why a list could not be changed: another change was under way for too long, or the tool is no longer what was seen. */
export type PinRejection = Readonly<{ reason: 'busy' | 'changed' }>;

/** How long a change of a list may take, and how long another one waits for it, in ms. */
const leaseMs = 10_000;
const waitMs = 5_000;
const pollMs = 100;

/** Which tools of remote MCP servers models may see: all servers on one database share it. */
export class RemotePins {
  readonly #dependencies: RemotePinsDependencies;

  constructor(dependencies: RemotePinsDependencies) {
    this.#dependencies = dependencies;
  }

  /** Returns the list of a service; null when its server has never listed its tools. */
  find(service: ServiceKey): Promise<PinnedList | null> {
    return this.#dependencies.store.find(service);
  }

  /**
   * Notes what a server listed, and returns the list after it. Nothing is written where nothing changed, so that each
   * start and each session of a person costs one read.
   */
  async noteListing(
    service: ServiceKey,
    listed: readonly RemoteTool[],
    { acceptsFirst }: Readonly<{ acceptsFirst: boolean }>,
  ): Promise<Result<PinnedList, PinRejection>> {
    const at = this.#dependencies.clock.now();
    const before = await this.find(service);
    if (before !== null && isSameList(before, afterListing(before, listed, { at, acceptsFirst }))) return ok(before);
    return this.#change(service, (current) => afterListing(current, listed, { at, acceptsFirst }));
  }

  /** Accepts a tool as an administrator saw it, by its digest. */
  async accept(
    service: ServiceKey,
    { name, digest }: Readonly<{ name: string; digest: string }>,
    by: number,
  ): Promise<Result<PinnedList, PinRejection>> {
    const at = this.#dependencies.clock.now();
    const changed = await this.#change(service, (list) =>
      list === null ? null : accepting(list, { name, digest }, { by, at }),
    );
    if (changed.ok) await this.#note(service, `${name}: accepted`, by);
    return changed;
  }

  /** Changes what an administrator chose for a tool. */
  async choose(
    service: ServiceKey,
    { name, settings }: Readonly<{ name: string; settings: Partial<ToolSettings> }>,
    by: number,
  ): Promise<Result<PinnedList, PinRejection>> {
    const changed = await this.#change(service, (list) => (list === null ? null : choosing(list, name, settings)));
    if (changed.ok) await this.#note(service, `${name}: ${Object.entries(settings).flat().join(' ')}`, by);
    return changed;
  }

  /** Forgets all tools of a server that is not used any more: none is listed from then on. */
  forget(service: ServiceKey): Promise<Result<PinnedList, PinRejection>> {
    const listedAt = this.#dependencies.clock.now();
    return this.#change(service, () => ({ tools: [], listedAt }));
  }

  async #change(
    service: ServiceKey,
    change: (before: PinnedList | null) => PinnedList | null,
  ): Promise<Result<PinnedList, PinRejection>> {
    const { store, publish, pause } = this.#dependencies;
    const lease = { name: `remote-tools/${service}`, leaseMs, wait: { maxMs: waitMs, pollMs, pause } };
    const changed = await underLease(this.#dependencies, lease, async () => {
      const after = change(await store.find(service));
      if (after === null) return err({ reason: 'changed' } as const);
      await store.replace(service, after);
      publish(service);
      return ok(after);
    });
    return changed.ok ? changed.value : changed;
  }

  #note(service: ServiceKey, detail: string, by: number): Promise<void> {
    return this.#dependencies.note({ action: 'setup.changed', by, subject: service, detail });
  }
}

/** Whether two lists have the same tools, whenever they were listed. */
function isSameList(left: PinnedList, right: PinnedList): boolean {
  return canonicalJson(left.tools) === canonicalJson(right.tools);
}
