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

/** The client of a request in flight, with the requests it supports. */
export interface AskableClient {
  /** Whether the client supports all of these requests. */
  can(...methods: readonly ClientRequest['method'][]): boolean;
  /**
   * Asks the client and returns its results. In the modern protocol the request ends here the first time, and the
   * client repeats it with the answers: anything before this call must be safe to run twice. When a `state` is given,
   * answers are accepted only together with it; it is authenticated for this user and these arguments. Throws
   * `RpcError` for a capability that the client has not declared.
   */
  ask(requests: ClientRequests, state?: string): Promise<ClientResults>;
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
  ask: () => Promise.reject(new Error('This client cannot be asked')),
  state: null,
};
