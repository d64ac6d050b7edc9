import {
  type AskableClient,
  type ClientCapabilities,
  type ClientRequest,
  type ClientRequests,
  type ClientResults,
  neededCapability,
} from '#adapters/mcp/protocol/client-requests.ts';
import { missingCapability } from '#adapters/mcp/protocol/input-required.ts';
import { isObject, type RpcResponse, rpcCodes } from '#adapters/mcp/protocol/json-rpc.ts';
import type { LogLevel } from '#adapters/mcp/protocol/messages.ts';
import { RpcError } from '#adapters/mcp/protocol/rpc-error.ts';
import { own } from '#domain/shared/own.ts';

/** The levels of `logging/setLevel`, from the least to the most severe. */
export const logLevels = [
  'debug',
  'info',
  'notice',
  'warning',
  'error',
  'critical',
  'alert',
  'emergency',
] as const satisfies readonly LogLevel[];

type Waiting = (result: Readonly<Record<string, unknown>> | null) => void;

/** The state of a legacy client with a session (before 2026-07-28): its capabilities, and the requests that it has yet to answer. */
export class ClientChannel {
  // Most clients get no requests and watch nothing: a map that stays empty would be the largest part of a session.
  #waiting: Map<string, Waiting> | null = null;
  #watched: Map<string, string> | null = null;
  #lastId = 0;
  readonly #idPrefix: string;
  capabilities: ClientCapabilities = {};
  logLevel: LogLevel | null = null;
  /** Whether it has sent `initialize`: before that it gets no notification. */
  isInitialized = false;
  /** What its user's lists consisted of when its last stream was closed, for a session that another server may go on with; null before. */
  shown: number | null = null;

  /** The ids of requests to the client begin with `idPrefix`, so that an answer shows which server asked. */
  constructor(idPrefix = '') {
    this.#idPrefix = idPrefix;
  }

  /** The watched resources: the address under which changes are published, and the client's own spelling. */
  get watched(): [address: string, uri: string][] {
    return [...(this.#watched ?? [])];
  }

  /** Takes over what another server has changed. Requests that the client has yet to answer stay. */
  replace({
    isInitialized,
    logLevel,
    watched,
    shown,
  }: Pick<ClientChannel, 'isInitialized' | 'logLevel' | 'watched' | 'shown'>): void {
    this.isInitialized = isInitialized;
    this.logLevel = logLevel;
    this.shown = shown;
    this.#watched = watched.length === 0 ? null : new Map(watched);
  }

  /** The number of resources that it watches. */
  get watches(): number {
    return this.#watched?.size ?? 0;
  }

  /**
   * The client's own spelling of a watched resource's address, by the spelling under which changes are published; undefined
   * when it does not watch it.
   */
  watchedAs(address: string): string | undefined {
    return this.#watched?.get(address);
  }

  /** Watches a resource from now on. */
  watch(address: string, uri: string): void {
    this.#watched ??= new Map();
    this.#watched.set(address, uri);
  }

  /** Stops watching a resource. */
  unwatch(address: string): void {
    this.#watched?.delete(address);
  }

  /** Resolves a request with the client's answer; false for an answer to an unknown request, which is dropped. */
  settle({ id, result }: RpcResponse): boolean {
    const waiting = typeof id === 'string' ? this.#waiting?.get(id) : undefined;
    waiting?.(result);
    return waiting !== undefined;
  }

  /** A client that is asked over `send`; `signal` ends the wait for its answers. */
  askThrough(send: (json: string) => void, signal: AbortSignal): AskableClient {
    const can = (...methods: readonly ClientRequest['method'][]) =>
      methods.every((method) => isObject(own(this.capabilities, neededCapability[method])));
    const ask = async (requests: ClientRequests): Promise<ClientResults> => {
      const missing = Object.values(requests).flatMap(({ method }) => (can(method) ? [] : [method]));
      if (missing.length > 0) throw missingCapability(missing);
      const asked = Object.entries(requests).map(async ([key, request]) => [
        key,
        await this.#ask(request, send, signal),
      ]);
      return Object.fromEntries(await Promise.all(asked));
    };
    return { can, ask, state: null };
  }

  async #ask({ method, params }: ClientRequest, send: (json: string) => void, signal: AbortSignal) {
    const id = `${this.#idPrefix}server-${++this.#lastId}`;
    const waiting = this.#waiting ?? new Map<string, Waiting>();
    this.#waiting = waiting;
    const result = await new Promise<Readonly<Record<string, unknown>> | null>((resolve) => {
      waiting.set(id, resolve);
      signal.addEventListener('abort', () => resolve(null), { once: true });
      send(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
    });
    waiting.delete(id);
    if (result === null) throw new RpcError(rpcCodes.internalError, 'The client did not answer what it was asked.');
    return result;
  }
}
