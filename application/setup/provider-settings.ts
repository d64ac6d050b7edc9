import type { NoteAct } from '#application/audit/audit.ts';
import { changeStatus } from '#application/connections/change-status.ts';
import { underLease } from '#application/leases/under-lease.ts';
import type { Clock } from '#application/ports/clock.ts';
import type { Connections } from '#application/ports/connections.ts';
import type { EnteredSetting, EnteredSettings, VendorApp } from '#application/ports/entered-settings.ts';
import type { Leases } from '#application/ports/leases.ts';
import type { Logger } from '#application/ports/logger.ts';
import type { Random } from '#application/ports/random.ts';
import { isChoice, storedChoice } from '#application/setup/vendor-choice.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import { ok, type Result } from '#domain/shared/result.ts';
import type { TokenRecord } from '#domain/tokens/token-record.ts';

type ProviderSettingsDependencies = Readonly<{
  store: EnteredSettings;
  /** Has this server use what was entered, in place of what it used before. */
  use: (entered: readonly EnteredSetting[]) => void;
  /** The apps that this server has at the vendors, as it uses them now. */
  apps: () => readonly VendorApp[];
  connections: Connections;
  leases: Leases;
  random: Random;
  clock: Clock;
  logger: Logger;
  note: NoteAct;
  /** Has all servers load what was entered again. */
  publish: () => void;
  /** Whether changes by other servers are received. */
  isHearing: () => boolean;
  /** A monotonic clock in ms. */
  now: () => number;
}>;

/** An entered setting without its value. */
export type EnteredBy = Omit<EnteredSetting, 'value'>;

/** What is entered for a vendor: new values by name; null removes one. */
export type SettingsChange = Readonly<{
  service: ServiceKey;
  vendor: string;
  values: ReadonlyMap<string, string | null>;
  /** The vendors that are to serve the service from the next start on; an empty list takes the choice away. */
  vendors?: readonly string[];
  userId: number;
}>;

/** The lease under which what was entered is changed. */
export const enteredLease = 'provider-settings';
/** How long such a change may take, in ms. */
export const enteredLeaseMs = 30_000;
/** How long it is used while changes by other servers are not received, in ms. */
const unheardMs = 1_000;

const clientChanged = 'An administrator changed the app that it was connected with.';

/**
 * What administrators entered for the providers: stored for all servers, and used by each of them at once. Its values
 * are given to `use` and to nobody else.
 */
export class ProviderSettings {
  readonly #dependencies: ProviderSettingsDependencies;
  #entered: readonly EnteredBy[] = [];
  #loadedAt = 0;

  constructor(dependencies: ProviderSettingsDependencies) {
    this.#dependencies = dependencies;
  }

  /** What was entered, without the values. */
  get entered(): readonly EnteredBy[] {
    return this.#entered;
  }

  /** Loads what is stored, and has it used. */
  async load(): Promise<void> {
    const { store, now } = this.#dependencies;
    this.#loadedAt = now();
    this.#use(await store.read());
  }

  /** Loads it again if another server may have changed it unheard. */
  async refresh(): Promise<void> {
    const { isHearing, now } = this.#dependencies;
    if (!isHearing() && now() - this.#loadedAt > unheardMs) await this.load();
  }

  /**
   * Stores new values and removes others, on all servers. The connections of an app whose client id changed have to be
   * connected again: its provider accepts no other app's tokens. `busy` when another administrator is at it.
   */
  async change(change: SettingsChange): Promise<Result<void, Readonly<{ reason: 'busy' }>>> {
    const { apps, publish, note } = this.#dependencies;
    const lease = { name: enteredLease, leaseMs: enteredLeaseMs };
    const stored = await underLease(this.#dependencies, lease, async () => {
      await this.load();
      const before = apps();
      await this.#store(change);
      publish();
      await this.#askToReconnect(before.filter((app) => isReplaced(app, apps())));
    });
    if (!stored.ok) return stored;
    await note({ action: 'setup.changed', by: change.userId, subject: change.service, detail: namesIn(change) });
    return ok(undefined);
  }

  async #store({ service, vendor, values, vendors, userId }: SettingsChange): Promise<void> {
    const { store, clock } = this.#dependencies;
    const isChanged = (one: EnteredBy) =>
      one.service === service &&
      ((one.vendor === vendor && values.has(one.name)) || (vendors !== undefined && isChoice(one)));
    const kept = (await store.read()).filter((one) => !isChanged(one));
    const at = clock.now();
    const added = [...values].flatMap(([name, value]) =>
      value === null ? [] : [{ service, vendor, name, value, userId, at }],
    );
    const chosen = vendors === undefined || vendors.length === 0 ? [] : [storedChoice(vendors)];
    const all = [...kept, ...added, ...chosen.map((choice) => ({ service, userId, at, ...choice }))];
    await store.replace(all);
    this.#use(all);
  }

  #use(all: readonly EnteredSetting[]): void {
    this.#entered = all.map(({ service, vendor, name, userId, at }) => ({ service, vendor, name, userId, at }));
    this.#dependencies.use(all);
  }

  async #askToReconnect(replaced: readonly VendorApp[]): Promise<void> {
    if (replaced.length === 0) return;
    const { connections } = this.#dependencies;
    const isAt = (app: VendorApp, { service, authMethod, extra: { vendor } }: TokenRecord) =>
      app.service === service && authMethod === 'oauth' && (vendor === undefined ? app.isFirst : vendor === app.vendor);
    for (const { userId, service } of await connections.places()) {
      if (!replaced.some((app) => app.service === service)) continue;
      const record = (await connections.reload(userId, service))?.record;
      if (record === undefined || !replaced.some((app) => isAt(app, record))) continue;
      await changeStatus(this.#dependencies, record, { state: 'reconnect', reason: clientChanged });
    }
  }
}

/** What was set and what was removed: 'pipedrive: client_id set, scopes removed; vendors: pipedrive, neutral'. */
function namesIn({ vendor, values, vendors }: SettingsChange): string {
  const names = [...values].map(([name, value]) => `${name} ${value === null ? 'removed' : 'set'}`);
  return [
    ...(names.length === 0 ? [] : [`${vendor}: ${names.join(', ')}`]),
    ...(vendors === undefined ? [] : [`vendors: ${vendors.length === 0 ? 'choice removed' : vendors.join(', ')}`]),
  ].join('; ');
}

/** Whether there was an app, and another or none is in its place. */
function isReplaced({ service, vendor, clientId }: VendorApp, apps: readonly VendorApp[]): boolean {
  const after = apps.find((app) => app.service === service && app.vendor === vendor);
  return clientId !== null && after?.clientId !== clientId;
}
