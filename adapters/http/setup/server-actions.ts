import type { Decisions } from '#adapters/http/setup/server-json.ts';
import type { KnownServer } from '#adapters/http/setup/server-pages.ts';
import type { ManageServers, ServerRejection } from '#application/remote-servers/manage-servers.ts';
import type { RemotePins } from '#application/remote-servers/remote-pins.ts';
import type { ServerRights } from '#application/remote-servers/server-rights.ts';
import type { RecentSignIn } from '#application/session/recent-sign-in.ts';
import { type Failure, failed, invalidInput } from '#domain/operations/outcome.ts';
import { maxAddedServers } from '#domain/remote-servers/added-server.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import { err, ok, type Result } from '#domain/shared/result.ts';
import type { User } from '#domain/users/user.ts';

/** What pages and JSON do with remote MCP servers. `look` asks a server for its tools now, as this person. */
export type ServerActionsDependencies = Readonly<{
  servers: () => Promise<readonly KnownServer[]>;
  manage: Pick<ManageServers, 'add' | 'remove'>;
  pins: Pick<RemotePins, 'find' | 'accept' | 'choose'>;
  rights: Pick<ServerRights, 'first'>;
  look: (user: User, service: ServiceKey) => Promise<Result<void, Failure>>;
  /** Stores this server's app there, in place of another one. */
  enterClient: (
    service: ServiceKey,
    client: Readonly<{ clientId: string; clientSecret: string | null }>,
  ) => Promise<void>;
  note: (by: number, service: ServiceKey, detail: string) => Promise<void>;
  recent: Pick<RecentSignIn, 'isRecent'>;
}>;

const oldText = 'Sign in again: MCP servers are changed only within 10 minutes of signing in.';
const busyText = 'Another administrator is changing this at the moment. Try again.';
const staleText = 'Some tools changed since this page was shown, and were not accepted. Look at them again.';

/** The failure of a server that is not here. */
export const unknownServer = failed('not_found', 'This server has no MCP server of that name.');

/** Changes of remote MCP servers by administrators, each within 10 minutes of signing in. */
export class ServerActions {
  readonly #dependencies: ServerActionsDependencies;

  constructor(dependencies: ServerActionsDependencies) {
    this.#dependencies = dependencies;
  }

  /** Returns the server; null when there is none of that key. */
  async find(key: ServiceKey): Promise<KnownServer | null> {
    return (await this.#dependencies.servers()).find((one) => one.key === key) ?? null;
  }

  async add(
    user: User,
    given: Readonly<{ key: ServiceKey; title: string; url: string; connection: KnownServer['connection'] }>,
  ): Promise<Result<void, Failure>> {
    const late = await this.#late(user);
    if (late !== null) return err(late);
    const added = await this.#dependencies.manage.add({ ...given, userId: user.id });
    return added.ok ? ok(undefined) : err(failureOf(added.failure));
  }

  async remove(user: User, key: ServiceKey): Promise<Result<void, Failure>> {
    const late = await this.#late(user);
    if (late !== null) return err(late);
    const removed = await this.#dependencies.manage.remove(key, user.id);
    return removed.ok ? removed : err(failureOf(removed.failure));
  }

  async look(user: User, server: KnownServer): Promise<Result<void, Failure>> {
    if (!server.isRunning) return err(failed('conflict', 'This server is in use after the next start.'));
    return this.#dependencies.look(user, server.key);
  }

  async enterClient(
    user: User,
    service: ServiceKey,
    client: Readonly<{ clientId: string; clientSecret: string | null }>,
  ): Promise<Result<void, Failure>> {
    const late = await this.#late(user);
    if (late !== null) return err(late);
    await this.#dependencies.enterClient(service, client);
    await this.#dependencies.note(user.id, service, 'client id of the MCP server set');
    return ok(undefined);
  }

  /** Accepts tools and changes what is chosen for them; the first failure ends it, and what was done stays. */
  async decide(
    user: User,
    service: ServiceKey,
    { accept = [], settings = [] }: Decisions,
  ): Promise<Result<void, Failure>> {
    const late = await this.#late(user);
    if (late !== null) return err(late);
    const { pins } = this.#dependencies;
    // What is chosen comes first, so that no tool is used with the effect of its hints in between.
    for (const { name, effect, is_off: isOff, is_searched: isSearched } of settings) {
      const chosen = {
        ...(effect === undefined ? {} : { effect }),
        ...(isOff === undefined ? {} : { isOff }),
        ...(isSearched === undefined ? {} : { isSearched }),
      };
      const changed = await pins.choose(service, { name, settings: chosen }, user.id);
      if (!changed.ok) return err(pinFailure(changed.failure.reason));
    }
    let isStale = false;
    for (const one of accept) {
      const accepted = await pins.accept(service, one, user.id);
      if (accepted.ok) continue;
      if (accepted.failure.reason === 'busy') return err(pinFailure('busy'));
      isStale = true;
    }
    return isStale ? err(pinFailure('changed')) : ok(undefined);
  }

  async #late(user: User): Promise<Failure | null> {
    return (await this.#dependencies.recent.isRecent(user)) ? null : failed('forbidden', oldText);
  }
}

function pinFailure(reason: 'busy' | 'changed'): Failure {
  return failed('conflict', reason === 'busy' ? busyText : staleText);
}

function failureOf(rejection: ServerRejection): Failure {
  switch (rejection.reason) {
    case 'invalid':
      return invalidInput([{ path: [rejection.field], message: rejection.message }]);
    case 'full':
      return failed('conflict', `There are ${maxAddedServers} MCP servers already, which is the most.`);
    case 'busy':
      return failed('conflict', busyText);
    case 'unknown':
      return unknownServer;
  }
}
