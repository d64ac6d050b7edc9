/** What a client says it can do: one member for each ability. */
export type ClientCapabilities = Readonly<Record<string, unknown>>;

/** Something that only the client can give: its user's word, its model's, or its roots. */
export type ClientRequest = Readonly<{
  method: 'elicitation/create' | 'sampling/createMessage' | 'roots/list';
  params: Readonly<Record<string, unknown>>;
}>;

/** Requests to a client by keys of ours, and its results by the same keys. */
export type ClientRequests = Readonly<Record<string, ClientRequest>>;
export type ClientResults = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** The client of a request under way, as far as it can be asked. */
export interface AskableClient {
  /** Whether it can be asked for all of these. */
  can(...methods: readonly ClientRequest['method'][]): boolean;
  /**
   * What the client answered. In the modern protocol the request ends here the first time, and is asked once more with the
   * answers: do nothing before that must not be done twice. Given a `state`, answers count only when it comes back with them:
   * nobody else can have made it, nor for another user or other arguments.
   * Throws `RpcError` for what the client has not said it can do.
   */
  ask(requests: ClientRequests, state?: string): Promise<ClientResults>;
  /** What an earlier `ask` of this very request gave as its state; null at first. */
  readonly state: string | null;
}

/** The capability that each request needs. */
export const neededCapability: Readonly<Record<ClientRequest['method'], string>> = {
  'elicitation/create': 'elicitation',
  'sampling/createMessage': 'sampling',
  'roots/list': 'roots',
};

/** A client that cannot be asked for anything. */
export const silentClient: AskableClient = {
  can: (...methods) => methods.length === 0,
  ask: () => Promise.reject(new Error('This client cannot be asked')),
  state: null,
};
