import type { NoteAct } from '#application/audit/audit.ts';
import { underLease } from '#application/leases/under-lease.ts';
import type { AddedServers } from '#application/ports/added-servers.ts';
import type { Clock } from '#application/ports/clock.ts';
import type { Leases } from '#application/ports/leases.ts';
import type { Random } from '#application/ports/random.ts';
import type { ServerRights } from '#application/remote-servers/server-rights.ts';
import {
  type AddedServer,
  keyError,
  maxAddedServers,
  serverAddressError,
} from '#domain/remote-servers/added-server.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import { err, ok, type Result } from '#domain/shared/result.ts';

type ManageServersDependencies = Readonly<{
  store: AddedServers;
  /** The services that this server has had since it was started. */
  running: readonly ServiceKey[];
  /** The kind of address that a server has now; null when its name does not resolve. */
  kindOf: (url: string) => Promise<'public' | 'private' | 'forbidden' | null>;
  /** Removes what belongs to a server that is not used any more: connections, clients, and the tools that were accepted. */
  forget: (service: ServiceKey) => Promise<void>;
  rights: Pick<ServerRights, 'give' | 'takeAll'>;
  leases: Leases;
  random: Random;
  clock: Clock;
  note: NoteAct;
}>;

/** Why a server was not added or removed. `field` is what does not fit. */
export type ServerRejection =
  | Readonly<{ reason: 'invalid'; field: 'key' | 'url'; message: string }>
  | Readonly<{ reason: 'full' | 'busy' | 'unknown' }>;

/** The lease under which the list of servers is changed, and how long that may take, in ms. */
export const addedLease = 'added-servers';
export const addedLeaseMs = 30_000;

/** The remote MCP servers that administrators add on a page. What is changed is in use after the next start. */
export class ManageServers {
  readonly #dependencies: ManageServersDependencies;

  constructor(dependencies: ManageServersDependencies) {
    this.#dependencies = dependencies;
  }

  /** Returns all that were added. */
  list(): Promise<readonly AddedServer[]> {
    return this.#dependencies.store.read();
  }

  /**
   * Adds a server, which whoever adds it may use. Whoever had a connection to an earlier one of its key, or the
   * permission for it, has it no more.
   */
  async add(given: Omit<AddedServer, 'at'>): Promise<Result<AddedServer, ServerRejection>> {
    const { kindOf, running, clock, forget, rights, note } = this.#dependencies;
    const error = serverAddressError(given.url, true);
    if (error !== null) return err({ reason: 'invalid', field: 'url', message: error });
    const kind = await kindOf(given.url);
    const judged =
      kind === 'forbidden' ? 'is at an address that no server has' : serverAddressError(given.url, kind === 'private');
    if (judged !== null) return err({ reason: 'invalid', field: 'url', message: judged });
    return this.#changing(async (servers) => {
      const message = keyError(given.key, [...running, ...servers.map(({ key }) => key)]);
      if (message !== null) return err({ reason: 'invalid', field: 'key', message });
      if (servers.length >= maxAddedServers) return err({ reason: 'full' });
      const server = { ...given, at: clock.now() };
      await forget(server.key);
      await rights.takeAll(server.key);
      await this.#dependencies.store.replace([...servers, server]);
      await note({
        action: 'setup.changed',
        by: server.userId,
        subject: server.key,
        detail: `MCP server added: ${server.url}, connected by ${server.connection}`,
      });
      await rights.give(server.userId, server.key);
      return ok(server);
    });
  }

  /** Removes a server with all connections to it and permissions for it, and has none of its tools listed from then on. */
  async remove(key: ServiceKey, userId: number): Promise<Result<void, ServerRejection>> {
    const { store, forget, rights, note } = this.#dependencies;
    return this.#changing(async (servers) => {
      if (!servers.some((one) => one.key === key)) return err({ reason: 'unknown' });
      await store.replace(servers.filter((one) => one.key !== key));
      await forget(key);
      const count = await rights.takeAll(key);
      const people = count === 1 ? '1 person' : `${count} people`;
      const detail = `MCP server removed, with the permission of ${people}`;
      await note({ action: 'setup.changed', by: userId, subject: key, detail });
      return ok(undefined);
    });
  }

  async #changing<Value>(
    change: (servers: readonly AddedServer[]) => Promise<Result<Value, ServerRejection>>,
  ): Promise<Result<Value, ServerRejection>> {
    const lease = { name: addedLease, leaseMs: addedLeaseMs };
    const changed = await underLease(this.#dependencies, lease, async () =>
      change(await this.#dependencies.store.read()),
    );
    return changed.ok ? changed.value : changed;
  }
}
