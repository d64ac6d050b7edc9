import type { Failure, Outcome } from '#domain/operations/outcome.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import type { Result } from '#domain/shared/result.ts';
import type { TokenRecord } from '#domain/tokens/token-record.ts';

/** One call of an outbound operation, with input that has not been checked yet. */
export type OperationCall = Readonly<{
  service: ServiceKey;
  /** The operation's name within its service: 'notes.read'. */
  name: string;
  input: unknown;
  /** Ends the outbound request when it aborts. */
  signal?: AbortSignal;
  /** How often one request is sent at most; 1 leaves repeating to the caller. The provider's usual when not given. */
  maxTries?: number;
  /** Told how far long work has come; `total` is null when unknown. */
  onProgress?: (progress: Readonly<{ done: number; total: number | null; message: string }>) => void;
}>;

/** One request of an operation, ready to be sent with the credentials of a connection. */
export type OutboundRequest = Readonly<{
  /** False when it carries a stream, which one sending uses up. */
  canBeSentAgain: boolean;
  /** Sends it with the record's credentials; the outcome is `unauthorized` when the provider refuses them. */
  send(record: TokenRecord): Promise<Outcome>;
}>;

/** An operation whose input has been checked. */
export type ReadyOperation = Readonly<{
  /**
   * Carries it out: hands each request that it takes to `send`, one after the other or several at once, and makes one outcome of theirs.
   * `record` is the connection at the beginning, for what the operation depends on besides credentials.
   */
  run(record: TokenRecord, send: (request: OutboundRequest) => Promise<Outcome>): Promise<Outcome>;
}>;

/** The services' interfaces over the network, under whatever credentials they are given. */
export interface ServiceGateway {
  /** Finds the operation and checks its input; sends nothing. A failure names all that is wrong with the input. */
  prepare(call: OperationCall): Result<ReadyOperation, Failure>;
}
