import type { Outcome } from '#domain/operations/outcome.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';

/** One call of an outbound operation, for a user, with input that has not been checked yet. */
export type OperationCall = Readonly<{
  userId: number;
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

/** Where outbound operations are carried out: finds the connection, checks the input, sends, and normalises the answer. */
export interface ServiceGateway {
  /** Never throws for what a provider, a network or an input can do wrong: that is an outcome. */
  call(call: OperationCall): Promise<Outcome>;
}
