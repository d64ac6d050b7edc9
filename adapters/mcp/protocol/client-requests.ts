import { isObject } from '#domain/json/json-data.ts';
import { own } from '#domain/shared/own.ts';

/** The client's capabilities, one member each. */
export type ClientCapabilities = Readonly<Record<string, unknown>>;

/** A request to the client: elicitation from its user, sampling from its model, or its roots. */
export type ClientRequest = Readonly<{
  method: 'elicitation/create' | 'sampling/createMessage' | 'roots/list';
  params: Readonly<Record<string, unknown>>;
}>;

/** Requests to a client under our own keys, and its results under the same keys. */
export type ClientRequests = Readonly<Record<string, ClientRequest>>;
export type ClientResults = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** How a client can elicit something from its user: by a form, or by opening an address. */
export type ElicitationMode = 'form' | 'url';

/** Whether a client elicits in this mode; one that names no mode has forms only (protocol 2025-11-25). */
export function elicitsBy(capabilities: ClientCapabilities, mode: ElicitationMode): boolean {
  const elicitation = own(capabilities, 'elicitation');
  if (!isObject(elicitation)) return false;
  const has = (one: ElicitationMode) => isObject(own(elicitation, one));
  return has(mode) || (mode === 'form' && !has('url'));
}

/** The client of a request in flight, with the requests it supports. */
export interface AskableClient {
  /** Whether the client supports all of these requests. */
  can(...methods: readonly ClientRequest['method'][]): boolean;
  /** Whether it can elicit something from its user in this mode. */
  elicits(mode: ElicitationMode): boolean;
  /**
   * Asks the client and returns its results. In the modern protocol the request ends here the first time, and the
   * client repeats it with the answers: anything before this call must be safe to run twice. When a `state` is given,
   * answers are accepted only together with it; it is authenticated for this user and these arguments. Throws
   * `RpcError` for a capability that the client has not declared, and where it did not answer before `until` aborts.
   */
  ask(requests: ClientRequests, state?: string, until?: AbortSignal): Promise<ClientResults>;
  /** Whether it answers while the request goes on; in the modern protocol the request ends instead, and is repeated. */
  readonly answersMeanwhile?: true;
  /** The state that an earlier `ask` of the same request passed on; null the first time. */
  readonly state: string | null;
}

/** The capability that each request requires. */
export const neededCapability: Readonly<Record<ClientRequest['method'], string>> = {
  'elicitation/create': 'elicitation',
  'sampling/createMessage': 'sampling',
  'roots/list': 'roots',
};

/** A client that supports no requests. */
export const silentClient: AskableClient = {
  can: (...methods) => methods.length === 0,
  elicits: () => false,
  ask: () => Promise.reject(new Error('This client cannot be asked')),
  state: null,
};
