import type { Listener } from '#adapters/mcp/changes/listener.ts';
import type { Listeners } from '#adapters/mcp/changes/listeners.ts';
import { grantedServices, type ListKind, listKinds } from '#adapters/mcp/changes/shown-services.ts';
import { RpcError, type RpcParams, rpcCodes } from '#adapters/mcp/protocol/json-rpc.ts';
import type { RpcId } from '#adapters/mcp/protocol/messages.ts';
import type { MethodContext, Methods } from '#adapters/mcp/protocol/method.ts';
import { serverMeta } from '#adapters/mcp/protocol/modern-members.ts';
import type { ToolChoice } from '#adapters/mcp/protocol/tool-choice.ts';
import type { ResourceSource } from '#adapters/mcp/resources/resource.ts';
import { checkAddress, maxWatched, watchedAddress } from '#adapters/mcp/resources/watched-address.ts';
import type { Clock } from '#application/ports/clock.ts';
import { isObject } from '#domain/json/json-data.ts';
import type { User } from '#domain/users/user.ts';

/** The maximum number of subscriptions, per user and in total. */
export type SubscriptionBounds = Readonly<{ perUser: number; all: number }>;

/** Limits of this server, equal to those of the other streams; the protocol sets none. */
export const subscriptionBounds: SubscriptionBounds = { perUser: 16, all: 10_000 };

const idMember = 'io.modelcontextprotocol/subscriptionId';

type Dependencies = Readonly<{
  listeners: Listeners;
  sources: readonly ResourceSource[];
  offered: readonly ListKind[];
  clock: Clock;
  version: string;
  bounds: SubscriptionBounds;
}>;

type Filter = Readonly<{ lists: readonly ListKind[]; uris: readonly string[] }>;

/** A subscriber, and the request that opened the subscription. */
type SubscriptionRequest = Readonly<{ user: User; choice: ToolChoice; requestId: RpcId; params: RpcParams }>;

/** The stream to a subscriber. `end` takes the result of the request, when this server ends the stream. */
export type ListeningLine = Readonly<{
  send(json: string): void;
  end(result: object): void;
  /** Calls back once when the client has cancelled or disconnected; immediately if it already has. */
  onClose(run: () => void): void;
}>;

/**
 * Serves `subscriptions/listen` (protocol 2026-07-28, Subscriptions): each subscription is a request that stays open.
 */
export class Subscriptions {
  readonly #dependencies: Dependencies;
  readonly #open = new Map<number, Set<() => void>>();
  #count = 0;
  #isClosed = false;

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies;
  }

  /** The method, for connections that several requests share. The result is sent when this server ends the stream. */
  get methods(): Methods {
    const run = (params: RpcParams, context: MethodContext): Promise<object> => {
      const { send, signal } = context;
      if (send === null) throw noEvents;
      const onClose = (run: () => void): void => {
        if (signal.aborted) run();
        else signal.addEventListener('abort', run, { once: true });
      };
      return new Promise((resolve) => {
        this.listen({ ...context, params }, () => ({ send, end: resolve, onClose }));
      });
    };
    return { 'subscriptions/listen': { era: 'modern', run } };
  }

  /**
   * Opens the stream, acknowledges the subscription on it, and sends notifications from then on. Throws `RpcError`,
   * without opening a stream, for invalid parameters or too many subscriptions.
   */
  listen({ user, choice, requestId, params }: SubscriptionRequest, openLine: () => ListeningLine): void {
    const { lists, uris } = this.#honoured(user, readFilter(params['notifications']));
    this.#refuseTooMany(user.id);
    const line = openLine();
    const notify = notifierOf(line, requestId);
    const result = { _meta: { ...serverMeta(this.#dependencies.version), [idMember]: requestId } };
    notify('notifications/subscriptions/acknowledged', { notifications: filterOf({ lists, uris }) });
    if (lists.length === 0 && uris.length === 0) {
      // A stream on which nothing can ever be sent is closed at once.
      line.end(result);
      return;
    }
    const end = (): void => {
      leave();
      line.end(result);
    };
    const watched = this.#watched(user, uris);
    const watchedAs = (address: string): string | undefined => watched?.get(address);
    const leave = this.#enter({
      userId: user.id,
      granted: grantedServices(user),
      grantId: user.app?.grantId ?? null,
      sessionId: user.signedInBy ?? null,
      choice,
      lists,
      watchedAs,
      notify,
      end,
    });
    line.onClose(leave);
  }

  /** Ends all subscriptions gracefully, and accepts no new ones. */
  close(): void {
    this.#isClosed = true;
    for (const own of this.#open.values()) for (const end of own) end();
  }

  #enter(line: Omit<Listener, 'since' | 'shown'>): () => void {
    const { listeners, clock } = this.#dependencies;
    const { userId, end } = line;
    const remove = listeners.add({ ...line, since: clock.now(), shown: null });
    const own = this.#open.get(userId) ?? new Set();
    this.#open.set(userId, own.add(end));
    this.#count += 1;
    return () => {
      if (!own.delete(end)) return;
      this.#count -= 1;
      if (own.size === 0) this.#open.delete(userId);
      remove();
    };
  }

  #watched(user: User, uris: readonly string[]): ReadonlyMap<string, string> | null {
    const { sources } = this.#dependencies;
    return uris.length === 0 ? null : new Map(uris.map((uri) => [watchedAddress(sources, { user }, uri) ?? uri, uri]));
  }

  #refuseTooMany(userId: number): void {
    const { bounds } = this.#dependencies;
    const own = this.#open.get(userId)?.size ?? 0;
    if (this.#isClosed) throw refused('The server is shutting down; listen again in a moment.');
    if (this.#count >= bounds.all) throw refused('Too many subscriptions are open; try again later.');
    if (own >= bounds.perUser)
      throw refused(`You have ${own} subscriptions open, and may not have more; end one first.`);
  }

  /** The part of the filter that this server can serve. */
  #honoured(user: User, { lists, uris }: Filter): Filter {
    const { offered, sources } = this.#dependencies;
    return {
      lists: lists.filter((kind) => offered.includes(kind)),
      uris: uris.filter((uri) => watchedAddress(sources, { user }, uri) !== null),
    };
  }
}

type Notify = (method: string, params: Readonly<Record<string, unknown>>) => void;

/** The rejection of a client that does not accept an event stream. */
export const noEvents = refused(
  'subscriptions/listen is answered by a stream: the Accept header must name text/event-stream.',
);

function notifierOf(line: ListeningLine, id: RpcId): Notify {
  const _meta = { [idMember]: id };
  return (method, params) => line.send(JSON.stringify({ jsonrpc: '2.0', method, params: { _meta, ...params } }));
}

/**
 * Parses a subscription's filter. Throws `RpcError` when it is invalid or too large. Unknown members are ignored, as
 * the protocol requires.
 */
function readFilter(given: unknown): Filter {
  if (!isObject(given)) throw invalid('The parameter notifications must be an object: what you want to hear of.');
  const lists = listKinds.filter((kind) => {
    const wanted = given[`${kind}ListChanged`] ?? false;
    if (typeof wanted !== 'boolean') throw invalid(`${kind}ListChanged must be true or false.`);
    return wanted;
  });
  const uris = given['resourceSubscriptions'] ?? [];
  if (!Array.isArray(uris)) throw invalid('resourceSubscriptions must be a list of addresses.');
  if (uris.length > maxWatched) throw invalid(`resourceSubscriptions may have ${maxWatched} addresses.`);
  return { lists, uris: [...new Set(uris.map(checkAddress))] };
}

function filterOf({ lists, uris }: Filter): object {
  const wanted = Object.fromEntries(lists.map((kind) => [`${kind}ListChanged`, true]));
  return uris.length === 0 ? wanted : { ...wanted, resourceSubscriptions: uris };
}

function invalid(message: string): RpcError {
  return new RpcError(rpcCodes.invalidParams, message);
}

function refused(message: string): RpcError {
  return new RpcError(rpcCodes.refused, message);
}
