import { setImmediate as nextTurn } from 'node:timers/promises';
import type { AccountChange, Changes, NoteChange, ResourceChange } from '#adapters/contracts/changes.ts';
import type { Listener } from '#adapters/mcp/changes/listener.ts';
import {
  changedLists,
  isUsable,
  type ListKind,
  listKinds,
  type ShownServices,
  shownServices,
} from '#adapters/mcp/changes/shown-services.ts';
import { connectionsUri } from '#adapters/mcp/resources/connection-resource.ts';
import { noteUri } from '#adapters/mcp/resources/vault-resources.ts';
import type { Clock } from '#application/ports/clock.ts';
import type { Connections } from '#application/ports/connections.ts';
import type { Grants } from '#application/ports/grants.ts';
import type { Logger } from '#application/ports/logger.ts';
import type { Sessions } from '#application/ports/sessions.ts';
import type { Users } from '#application/ports/users.ts';
import { actingUnder } from '#domain/oauth/acting-under.ts';
import type { AppGrant } from '#domain/oauth/app-grant.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import { isOpen } from '#domain/sessions/person-session.ts';
import { isCurrent, isValidFor } from '#domain/sessions/session.ts';
import { switchesOf } from '#domain/users/rights.ts';
import { guest, guestUserId, type User } from '#domain/users/user.ts';
import { KeyedQueue } from '#infrastructure/concurrency/keyed-queue.ts';
import { every, type Repetition } from '#infrastructure/time/every.ts';

/**
 * The sources of changes, and what decides which lists a user sees. `offered` are the lists that this server supports.
 */
type ListenersDependencies = Readonly<{
  users: Pick<Users, 'find'>;
  connections: Pick<Connections, 'overview'>;
  /** The grants of apps: revoking one closes its connections. Without it, none is closed for that. */
  grants?: Pick<Grants, 'find'>;
  /** The sessions of persons: ending one closes its connections. Without it, none is closed for that. */
  personSessions?: Pick<Sessions, 'find'>;
  noteChanges: Changes<NoteChange>;
  accountChanges: Changes<AccountChange>;
  /** Changes of resources other than notes; none by default. */
  resourceChanges?: Changes<ResourceChange>;
  clock: Clock;
  logger: Logger;
  offered: readonly ListKind[];
  /** The services of this server. */
  services: readonly ServiceKey[];
  /** The versions of the lists of services that change while the server runs; none by default. */
  listVersions?: ListVersions;
  timing?: ListeningTiming;
}>;

/** Returns a number for each list of a service, another one after each change of that list. */
export type ListVersions = () => ReadonlyMap<ServiceKey, Readonly<Record<ListKind, number>>>;

/**
 * How long changes are batched before they are sent, and how often users are checked, in ms; how many users per check, and how
 * many are notified per turn of the event loop.
 */
export type ListeningTiming = Readonly<{ gatherMs: number; lookMs: number; usersALook: number }>;

/**
 * Defaults of this server; the protocol sets none. Changes by other processes are found by polling, at two short
 * queries per user.
 */
const listeningTiming: ListeningTiming = { gatherMs: 50, lookMs: 5_000, usersALook: 50 };

/** Batched changes of one vault's notes. */
type Gathered = Readonly<{ uris: Set<string>; lists: Set<ListKind> }>;

/** Batched changes for a user: of their account, of their own vault, and of the team's. */
type Pending = Readonly<{ uris: Set<string>; own: Gathered; team: Gathered }>;

/**
 * Sends change notifications on all open connections, in every era. Each connection gets only changes of its own user,
 * by their rights at the time of sending. One timer batches changes and one checks users, for all connections; neither
 * runs when there are none.
 */
export class Listeners {
  readonly #dependencies: ListenersDependencies;
  readonly #timing: ListeningTiming;
  readonly #of = new Map<number, Set<Listener>>();
  readonly #pending = new Map<number, Pending>();
  /** What each connection's app was granted and its user had switched off at the last check, joined to one string. */
  readonly #switches = new WeakMap<Listener, string>();
  /** The versions of the lists that each connection's user had at the last check, each joined to one string. */
  readonly #versions = new WeakMap<Listener, Readonly<Record<ListKind, string>>>();
  readonly #looks = new KeyedQueue();
  /** The users with a new connection whose first check has not begun. */
  readonly #new = new Set<number>();
  #hearing: readonly (() => void)[] = [];
  #looking: Repetition | null = null;
  #gathering: NodeJS.Timeout | null = null;

  constructor(dependencies: ListenersDependencies) {
    this.#dependencies = dependencies;
    this.#timing = dependencies.timing ?? listeningTiming;
  }

  /** Adds a connection; the returned function removes it. */
  add(listener: Listener): () => void {
    const own = this.#of.get(listener.userId) ?? new Set();
    own.add(listener);
    this.#of.set(listener.userId, own);
    this.#begin();
    this.#lookAtNew(listener.userId);
    return () => {
      if (own.delete(listener) && own.size === 0) this.#of.delete(listener.userId);
      if (this.#of.size === 0) this.#rest();
    };
  }

  /** Checks a user once for all connections that they open meanwhile: after a restart all clients come back together. */
  #lookAtNew(userId: number): void {
    if (this.#new.has(userId)) return;
    this.#new.add(userId);
    void this.#look(userId);
  }

  #begin(): void {
    if (this.#looking !== null) return;
    const { noteChanges, accountChanges, resourceChanges, logger } = this.#dependencies;
    this.#hearing = [
      noteChanges.listen((change) => this.#noteChanged(change)),
      accountChanges.listen(({ userId }) => {
        this.#gather(userId)?.uris.add(connectionsUri);
      }),
      ...(resourceChanges === undefined
        ? []
        : [resourceChanges.listen(({ address }) => this.#resourceChanged(address))]),
    ];
    this.#looking = every(
      this.#timing.lookMs,
      () => this.#lookRound(),
      (error) => logger.error({ err: error }, 'Lists could not be checked for changes; will be retried'),
    );
  }

  #rest(): void {
    for (const stop of this.#hearing) stop();
    void this.#looking?.stop();
    this.#looking = null;
    if (this.#gathering !== null) clearTimeout(this.#gathering);
    this.#gathering = null;
    this.#pending.clear();
  }

  #noteChanged({ userId, path, kind }: NoteChange): void {
    const uri = noteUri(path);
    const vault = userId === null ? 'team' : 'own';
    for (const listenerId of userId === null ? this.#of.keys() : [userId]) {
      const lines = [...(this.#of.get(listenerId) ?? [])];
      if (lines.some((line) => line.watchedAs(uri) !== undefined)) this.#gather(listenerId)?.[vault].uris.add(uri);
      if (kind !== 'changed' && path.endsWith('.md')) this.#gather(listenerId)?.[vault].lists.add('resources');
    }
  }

  /** Watching an address does not require access to the resource; reading it does. */
  #resourceChanged(address: string): void {
    for (const [userId, lines] of this.#of) {
      const isWatched = [...lines].some((line) => line.watchedAs(address) !== undefined);
      if (isWatched) this.#gather(userId)?.uris.add(address);
    }
  }

  /** The pending changes of the user; null when they have no open connection. */
  #gather(userId: number): Pending | null {
    if (!this.#of.has(userId)) return null;
    const pending = this.#pending.get(userId) ?? { uris: new Set(), own: gathered(), team: gathered() };
    this.#pending.set(userId, pending);
    this.#gathering ??= setTimeout(() => this.#notifyGathered(), this.#timing.gatherMs).unref();
    return pending;
  }

  #notifyGathered(): void {
    this.#gathering = null;
    const all = [...this.#pending];
    this.#pending.clear();
    void this.#notifyInTurns(all);
  }

  /** Notifies a few users per turn of the event loop: a change of the team's vault concerns thousands of connections. */
  async #notifyInTurns(all: readonly (readonly [number, Pending])[]): Promise<void> {
    const { usersALook } = this.#timing;
    for (let first = 0; first < all.length; first += usersALook) {
      if (first > 0) await nextTurn();
      for (const [userId, pending] of all.slice(first, first + usersALook)) void this.#look(userId, pending);
    }
  }

  /** Checks a few users per round, in rotation, to bound the cost of each round. */
  async #lookRound(): Promise<void> {
    const turn = [...this.#of.keys()].slice(0, this.#timing.usersALook);
    for (const userId of turn) {
      await this.#look(userId);
      const own = this.#of.get(userId);
      if (own === undefined || this.#of.size <= turn.length) continue;
      this.#of.delete(userId);
      this.#of.set(userId, own);
    }
  }

  /**
   * Checks a user, one check at a time, and notifies their connections of what changed and of the batched changes they
   * may see.
   */
  async #look(userId: number, pending: Pending | null = null): Promise<void> {
    try {
      await this.#looks.run(String(userId), () => this.#lookAt(userId, pending));
    } catch (error) {
      if (!this.#of.has(userId)) return;
      this.#dependencies.logger.warn({ err: error, userId }, 'Changes could not be sent to clients');
    }
  }

  async #lookAt(userId: number, pending: Pending | null): Promise<void> {
    const { users, connections, clock, services: all } = this.#dependencies;
    this.#new.delete(userId);
    const user = userId === guestUserId ? guest : await users.find(userId);
    const services = (await connections.overview(userId)).services;
    const { isEnded, grants } = await this.#ended(userId, clock.now());
    const notes = pending === null ? null : (await this.#sees(userId, pending.team)) ? pending.team : pending.own;
    const seen = new Map<string, Seen>();
    for (const listener of this.#of.get(userId) ?? []) {
      if (user === null || isEnded(listener) || !isOpenTo(user, listener, clock.now())) {
        listener.end();
        continue;
      }
      const before = listener.shown;
      const way = `${listener.grantId ?? ''} ${listener.granted?.join() ?? '*'}`;
      const now = seen.get(way) ?? this.#seenBy(user, grants.get(listener.grantId) ?? null, services, listener.granted);
      seen.set(way, now);
      const { shown, switches, versions, hasVault } = now;
      listener.shown = shown;
      const isAnother = before !== null && before !== shown;
      const lists = new Set(isAnother ? changedLists(before, shown, listener.choice.services, all) : []);
      if ((this.#switches.get(listener) ?? switches) !== switches) lists.add('tools');
      this.#switches.set(listener, switches);
      const had = this.#versions.get(listener) ?? versions;
      for (const kind of listKinds) if (had[kind] !== versions[kind]) lists.add(kind);
      this.#versions.set(listener, versions);
      const uris = new Set(isAnother ? [connectionsUri] : []);
      for (const uri of pending?.uris ?? []) if (hasVault || uri === connectionsUri) uris.add(uri);
      if (hasVault) {
        for (const uri of notes?.uris ?? []) uris.add(uri);
        for (const kind of notes?.lists ?? []) lists.add(kind);
      }
      this.#notify(listener, lists, uris);
    }
  }

  /** What the connections of a user under one grant see, made once for all of them. */
  #seenBy(
    user: User,
    grant: AppGrant | null,
    services: ReadonlySet<ServiceKey>,
    granted: readonly ServiceKey[] | null,
  ): Seen {
    const { services: all } = this.#dependencies;
    const acting = grant === null ? user : actingUnder(grant, user, all);
    const shown = shownServices(acting, services, granted, all);
    const switches = [grant?.scope ?? '', ...switchesOf(acting)].join(' ');
    return { shown, switches, versions: this.#versionsIn(shown), hasVault: isUsable(shown, 'vault', all) };
  }

  /** The versions of the lists of services that can be used, of those whose lists change. */
  #versionsIn(shown: ShownServices): Readonly<Record<ListKind, string>> {
    const { listVersions, services: all } = this.#dependencies;
    const versions = [...(listVersions?.() ?? [])].filter(([service]) => isUsable(shown, service, all));
    const of = (kind: ListKind) => versions.map(([service, lists]) => `${service} ${lists[kind]}`).join(' ');
    return { tools: of('tools'), prompts: of('prompts'), resources: of('resources') };
  }

  /**
   * Returns a predicate for the user's connections whose grant was revoked, or whose person's session has ended, and the
   * grants of the others by id.
   */
  async #ended(
    userId: number,
    now: number,
  ): Promise<Readonly<{ isEnded: (listener: Listener) => boolean; grants: ReadonlyMap<string | null, AppGrant> }>> {
    const { grants, personSessions } = this.#dependencies;
    const own = [...(this.#of.get(userId) ?? [])];
    const revoked = new Set<string | null>();
    const found = new Map<string | null, AppGrant>();
    for (const id of new Set(own.map(({ grantId }) => grantId))) {
      const grant = id === null ? undefined : await grants?.find(id);
      if (grant === null) revoked.add(id);
      else if (grant !== undefined) found.set(id, grant);
    }
    const signedOut = new Set<string | null>();
    for (const id of new Set(own.map(({ sessionId }) => sessionId))) {
      const session = id === null ? undefined : await personSessions?.find(id);
      if (session === null || (session !== undefined && !isOpen(session, userId, now))) signedOut.add(id);
    }
    const isEnded = ({ grantId, sessionId }: Listener) => revoked.has(grantId) || signedOut.has(sessionId);
    return { isEnded, grants: found };
  }

  /** Whether changes of the team's vault concern the user, i.e. unless the user has a vault of their own. */
  async #sees(userId: number, { uris, lists }: Gathered): Promise<boolean> {
    return uris.size + lists.size > 0 && (await this.#dependencies.connections.overview(userId)).isInTeamVault;
  }

  #notify(listener: Listener, lists: ReadonlySet<ListKind>, uris: ReadonlySet<string>): void {
    for (const kind of this.#dependencies.offered) {
      if (lists.has(kind) && listener.lists.includes(kind)) listener.notify(`notifications/${kind}/list_changed`, {});
    }
    for (const address of uris) {
      const uri = listener.watchedAs(address);
      if (uri !== undefined) listener.notify('notifications/resources/updated', { uri });
    }
  }
}

/** The lists of a user under one grant, what is switched off there, the versions of the lists, and whether they have the vault. */
type Seen = Readonly<{
  shown: ShownServices;
  switches: string;
  versions: Readonly<Record<ListKind, string>>;
  hasVault: boolean;
}>;

const gathered = (): Gathered => ({ uris: new Set(), lists: new Set() });

/** Whether the connection may stay open, i.e. a session of the same age would still be valid for the user. */
function isOpenTo(user: User, { since }: Listener, now: number): boolean {
  if (since === null) return true;
  const session = { userId: user.id, issuedAt: since };
  return isValidFor(session, user) && isCurrent(session, now);
}
