import {
  type AskableClient,
  type ClientCapabilities,
  type ClientRequest,
  type ClientRequests,
  type ClientResults,
  type ElicitationMode,
  elicitsBy,
  neededCapability,
} from '#adapters/mcp/protocol/client-requests.ts';
import { RpcError, type RpcParams, rpcCodes } from '#adapters/mcp/protocol/json-rpc.ts';
import type { RequestStates } from '#adapters/mcp/protocol/request-states.ts';
import { isObject } from '#domain/json/json-data.ts';
import { own } from '#domain/shared/own.ts';

/**
 * Thrown to end a request with the input that the client must provide first (protocol 2026-07-28, Multi Round-Trip
 * Requests).
 */
export class InputRequired extends Error {
  readonly inputRequests: ClientRequests;
  readonly requestState: string;

  constructor(inputRequests: ClientRequests, requestState: string) {
    super('Input required');
    this.inputRequests = inputRequests;
    this.requestState = requestState;
  }
}

/** The error for a capability that the client has not declared, as protocol 2026-07-28 specifies. */
export function missingCapability(methods: readonly ClientRequest['method'][]): RpcError {
  const requiredCapabilities = Object.fromEntries(methods.map((method) => [neededCapability[method], {}]));
  const names = Object.keys(requiredCapabilities).join(', ');
  return new RpcError(rpcCodes.missingCapability, `This needs a client that can do: ${names}.`, {
    requiredCapabilities,
  });
}

/** The user, method and arguments that a state is bound to: it is invalid for any other request. */
type RequestOwner = Readonly<{ userId: number; method: string; params: RpcParams }>;

/** The client of a modern request: asking it ends the request, and it answers by repeating the request. */
export class RetryingClient implements AskableClient {
  readonly state: string | null;
  readonly #capabilities: ClientCapabilities;
  readonly #states: RequestStates;
  readonly #owner: RequestOwner;
  readonly #responses: Readonly<Record<string, unknown>>;

  /** Throws `RpcError` when the answers are not an object, or the state was not issued for this request. */
  constructor(capabilities: ClientCapabilities, states: RequestStates, owner: RequestOwner) {
    const { inputResponses = {}, requestState } = owner.params;
    if (!isObject(inputResponses)) {
      throw new RpcError(rpcCodes.invalidParams, 'The parameter inputResponses must be an object.');
    }
    this.#capabilities = capabilities;
    this.#states = states;
    this.#owner = owner;
    this.#responses = inputResponses;
    this.state = requestState === undefined ? null : this.#opened(requestState);
  }

  can(...methods: readonly ClientRequest['method'][]): boolean {
    return methods.every((method) => isObject(own(this.#capabilities, neededCapability[method])));
  }

  elicits(mode: ElicitationMode): boolean {
    return elicitsBy(this.#capabilities, mode);
  }

  async ask(requests: ClientRequests, state = ''): Promise<ClientResults> {
    const given = Object.entries(requests).map(([key]) => [key, own(this.#responses, key)] as const);
    const isAnswer = state === '' || state === this.state;
    const answered = given.filter((entry): entry is [string, Record<string, unknown>] => isObject(entry[1]));
    if (isAnswer && answered.length === given.length) return Object.fromEntries(answered);
    const methods = Object.values(requests).map(({ method }) => method);
    const missing = methods.filter((method) => !this.can(method));
    if (missing.length > 0) throw missingCapability(missing);
    throw new InputRequired(requests, this.#states.seal(this.#owner, state));
  }

  #opened(requestState: unknown): string {
    const state = typeof requestState === 'string' ? this.#states.open(this.#owner, requestState) : null;
    if (state === null) {
      throw new RpcError(rpcCodes.invalidParams, 'The requestState is not one of this request, or is too old.');
    }
    return state;
  }
}
