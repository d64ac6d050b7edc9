import {
  type AskableClient,
  type ClientCapabilities,
  type ClientRequest,
  type ClientRequests,
  type ClientResults,
  elicitsBy,
  neededCapability,
} from '#adapters/mcp/protocol/client-requests.ts';
import { missingCapability } from '#adapters/mcp/protocol/input-required.ts';
import { RpcError, type RpcResponse, rpcCodes } from '#adapters/mcp/protocol/json-rpc.ts';
import type { LogLevel } from '#adapters/mcp/protocol/messages.ts';
import { isObject } from '#domain/json/json-data.ts';
import { own } from '#domain/shared/own.ts';

/** The levels of `logging/setLevel`, in ascending severity. */
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

/**
 * The state of a legacy client (before 2026-07-28) with a session: its capabilities, and the requests it has not yet
 * answered.
 */
export class ClientChannel {
  // Created lazily: most clients get no requests and watch nothing, and empty maps would be most of a session's memory.
  #waiting: Map<string, Waiting> | null = null;
  #watched: Map<string, string> | null = null;
  #lastId = 0;
  readonly #idPrefix: string;
  capabilities: ClientCapabilities = {};
  logLevel: LogLevel | null = null;
  /** Whether its protocol revision has structured content (2025-06-18 and later). */
  readsStructured = true;
  /** Whether it has sent `initialize`; until then it gets no notifications. */
  isInitialized = false;
  /**
   * The state of the user's lists when its last stream was closed, for when another server takes over the session; null
   * before.
   */
  shown: number | null = null;

  /** The ids of requests to the client start with `idPrefix`, so that an answer shows which server asked. */
  constructor(idPrefix = '') {
    this.#idPrefix = idPrefix;
  }

  /** The watched resources: the address under which changes are published, and the client's own spelling. */
  get watched(): [address: string, uri: string][] {
    return [...(this.#watched ?? [])];
  }

  /** Replaces the state by what another server has stored. Requests that the client has yet to answer are kept. */
  replace({
    isInitialized,
    logLevel,
    readsStructured,
    watched,
    shown,
  }: Pick<ClientChannel, 'isInitialized' | 'logLevel' | 'readsStructured' | 'watched' | 'shown'>): void {
    this.isInitialized = isInitialized;
    this.readsStructured = readsStructured;
    this.logLevel = logLevel;
    this.shown = shown;
    this.#watched = watched.length === 0 ? null : new Map(watched);
  }

  /** The number of resources that it watches. */
  get watches(): number {
    return this.#watched?.size ?? 0;
  }

  /**
   * Returns the client's own spelling of a watched resource's address, given the canonical one under which changes are
   * published; undefined when it does not watch the resource.
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

  /** Resolves a request with the client's answer; false when the request is unknown, and the answer is dropped. */
  settle({ id, result }: RpcResponse): boolean {
    const waiting = typeof id === 'string' ? this.#waiting?.get(id) : undefined;
    waiting?.(result);
    return waiting !== undefined;
  }

  /** An askable client that is reached through `send`; `signal` ends the wait for its answers. */
  askThrough(send: (json: string) => void, signal: AbortSignal): AskableClient {
    const can = (...methods: readonly ClientRequest['method'][]) =>
      methods.every((method) => isObject(own(this.capabilities, neededCapability[method])));
    const ask = async (requests: ClientRequests, _?: string, until?: AbortSignal): Promise<ClientResults> => {
      const ended = until === undefined ? signal : AbortSignal.any([signal, until]);
      const missing = Object.values(requests).flatMap(({ method }) => (can(method) ? [] : [method]));
      if (missing.length > 0) throw missingCapability(missing);
      const asked = Object.entries(requests).map(async ([key, request]) => [
        key,
        await this.#ask(request, send, ended),
      ]);
      return Object.fromEntries(await Promise.all(asked));
    };
    return {
      can,
      elicits: (mode) => elicitsBy(this.capabilities, mode),
      ask,
      answersMeanwhile: true,
      state: null,
    };
  }

  async #ask({ method, params }: ClientRequest, send: (json: string) => void, signal: AbortSignal) {
    const id = `${this.#idPrefix}server-${++this.#lastId}`;
    const waiting = this.#waiting ?? new Map<string, Waiting>();
    this.#waiting = waiting;
    const result = await new Promise<Readonly<Record<string, unknown>> | null>((resolve) => {
      waiting.set(id, resolve);
      if (signal.aborted) resolve(null);
      signal.addEventListener('abort', () => resolve(null), { once: true });
      send(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
    });
    waiting.delete(id);
    if (result === null) throw new RpcError(rpcCodes.internalError, 'The client did not answer what it was asked.');
    return result;
  }
}
