import type { z } from 'zod';
import type { Dialect } from '#adapters/services/dialect.ts';
import type { OAuthFacts } from '#adapters/services/oauth-facts.ts';
import type { CallRow, OperationTable, RecipeConnection, RequestRow } from '#adapters/services/operation-table.ts';
import type { NamedInput } from '#adapters/services/row-options.ts';
import type { Inputs } from '#adapters/services/wire-request.ts';
import type { NoteChange } from '#application/ports/note-changes.ts';
import type { ServiceInstructions } from '#application/ports/operation-catalog.ts';
import type { Failure, Outcome } from '#domain/operations/outcome.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import type { Result } from '#domain/shared/result.ts';
import type { AuthMethod, TokenRecord } from '#domain/tokens/token-record.ts';
import type { HttpClient } from '#infrastructure/http/http-client.ts';
import type { HttpAnswer, RetryBounds } from '#infrastructure/http/http-messages.ts';

/** A service as the gateway speaks to it: its table, and the dialect that was chosen for it. */
export type Provider = Readonly<{
  service: ServiceKey;
  /** The title that people read: 'Sales CRM'. */
  title: string;
  /** What the fixed sentences of its folder call it, which do not know whose dialect is spoken: 'sales CRM'. */
  noun: string;
  /** Who makes what is behind it, when its own dialect is spoken; null in the neutral one. */
  vendor: string | null;
  /** The instructions for models. */
  instructions: ServiceInstructions;
  operations: OperationTable;
  dialect: Dialect;
  /** How it does OAuth; null for the vault, which has none. */
  oauth: OAuthFacts | null;
  /** What a connection's `extra` may hold when a user gives it by hand; addresses in it are bounded to the provider's own. */
  extra?: z.ZodObject;
  /** The operation that checks credentials: one without required inputs that reads little. */
  probe: string;
  /** How it is connected without OAuth; null when it is not. */
  keyMethod: Exclude<AuthMethod, 'oauth'> | null;
  /** Whether its address is given with each connection, as `base_url`. */
  hasOwnAddress: boolean;
  /** False where it reaches nothing beyond the user's own place. */
  isOpenWorld: boolean;
  /**
   * Completes a record before it is tried and kept, by what the provider itself says, such as the certificate it shows.
   * No credentials are sent. A failure says what the user can do; a provider that cannot be reached is none.
   */
  complete?(record: TokenRecord, http: HttpClient): Promise<Result<TokenRecord, Failure>>;
  /** The note that a row has changed by a good answer, and how; null when it has changed none, or none that can be known. */
  changedNote?(row: RequestRow, inputs: Inputs, answer: HttpAnswer): Omit<NoteChange, 'userId'> | null;
  /** Replaces the names among a row's inputs by ids; for tables with rows that have `named` inputs. */
  resolveNames?(
    named: Readonly<Record<string, NamedInput>>,
    inputs: Inputs,
    lookUp: Readonly<{ call: CallRow; connection: RecipeConnection }>,
  ): Promise<Outcome<Inputs>>;
  /** Prefixes that the REST routes leave out, such as `/api/v2` (REST-001). */
  versionPrefixes: readonly string[];
  /** Milliseconds that one request may take. */
  timeoutMs: number;
  /** Bytes that one answer may have. */
  maxBytes: number;
  /** How often and how long one request is tried over; 5 times within 60 s when not given. */
  retries?: RetryBounds;
}>;

/** How the service is called: by its kind, and by its vendor where that is known. */
export function nameOf({ title, vendor }: Pick<Provider, 'title' | 'vendor'>): string {
  return vendor === null ? title : `${title} (${vendor})`;
}

/** The same at the beginning of a sentence: 'The Sales CRM (Pipedrive)'. */
export function titleOf(provider: Pick<Provider, 'title' | 'vendor'>): string {
  return `The ${nameOf(provider)}`;
}
