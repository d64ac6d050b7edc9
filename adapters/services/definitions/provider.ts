import type { z } from 'zod';
import type { NoteChange } from '#adapters/contracts/changes.ts';
import type { ChangeRules } from '#adapters/services/changes/change-rule.ts';
import type { LiveCheck } from '#adapters/services/credentials/live-check.ts';
import type { OAuthFacts } from '#adapters/services/credentials/oauth-facts.ts';
import type { Dialect } from '#adapters/services/definitions/dialect.ts';
import type { RemoteProvider } from '#adapters/services/definitions/remote-definition.ts';
import type {
  CallRow,
  LocalOperation,
  OperationTable,
  RecipeConnection,
  RequestRow,
} from '#adapters/services/requests/operation-table.ts';
import type { NamedInput } from '#adapters/services/requests/row-options.ts';
import type { Inputs } from '#adapters/services/requests/wire-request.ts';
import type { ServiceInstructions } from '#application/ports/operation-catalog.ts';
import type { Effect } from '#domain/operations/effect.ts';
import type { Failure, Outcome } from '#domain/operations/outcome.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import type { ServicePresence } from '#domain/services/service-names.ts';
import type { Result } from '#domain/shared/result.ts';
import type { AuthMethod, TokenRecord } from '#domain/tokens/token-record.ts';
import type { HttpClient } from '#infrastructure/http/http-client.ts';
import type { HttpAnswer, RetryBounds } from '#infrastructure/http/http-messages.ts';

/** A call that failed, and how; `name` is the operation's. */
export type FailedCall = Readonly<{ name: string; input: Inputs; failure: Failure }>;

/**
 * Explains a call that failed because it names something that is not there, with what is near; null when it is another
 * failure. May call rows that read.
 */
export type ExplainMissing = (failed: FailedCall, lookUp: Readonly<{ call: CallRow }>) => Promise<Failure | null>;

/** A service as the gateway uses it: its operation table, and the configured dialect. */
export type Provider = Readonly<{
  service: ServiceKey;
  /** The title that people read: 'Sales CRM'. */
  title: string;
  /** The noun in the fixed sentences of its folder, which are independent of the dialect: 'sales CRM'. */
  noun: string;
  /** The vendor, when its dialect is configured; null in the neutral one. */
  vendor: string | null;
  /** Its icon, and a sentence to try. */
  presence?: ServicePresence;
  /** The instructions for models. */
  instructions: ServiceInstructions;
  /** Its operations as they are listed, in the words of its kind. */
  listed: OperationTable;
  /** The same operations as the vendor does them. */
  operations: OperationTable;
  dialect: Dialect;
  /** The prefix of its settings' names: 'SALES_CRM_'; that of the service by default. */
  prefix?: string;
  /** The service at its other vendors, by their names. */
  others?: ReadonlyMap<string, Provider>;
  /** Its OAuth facts; null for the vault, which has none. */
  oauth: OAuthFacts | null;
  /**
   * The schema of what users may set in a connection's `extra`; addresses in it are restricted to the provider's own.
   */
  extra?: z.ZodObject;
  /** The operation that tests credentials: one without required inputs that reads little. */
  probe: string;
  /** The request that tests credentials, if it is not that operation. */
  probeRow?: RequestRow;
  /** The connection method besides OAuth; null when there is none. */
  keyMethod: Exclude<AuthMethod, 'oauth'> | null;
  /** Whether each connection has its own address, in `base_url`. */
  hasOwnAddress: boolean;
  /** False for a service that reaches nothing beyond the user's own data. */
  isOpenWorld: boolean;
  /**
   * Completes a record, before it is tested and stored, with facts from the provider, such as its certificate, or
   * the site that new tokens reach. A failure says what the user can do, and nothing is stored.
   */
  complete?(record: TokenRecord, http: HttpClient): Promise<Result<TokenRecord, Failure>>;
  /** The note that a successful row has changed, and how; null when it changed none, or it cannot be known. */
  changedNote?(row: RequestRow, inputs: Inputs, answer: HttpAnswer): Omit<NoteChange, 'userId'> | null;
  /**
   * Replaces names among a row's inputs by ids; for tables that have rows with `named` inputs. A warning says what a
   * name was taken for.
   */
  resolveNames?(
    named: Readonly<Record<string, NamedInput>>,
    inputs: Inputs,
    lookUp: Readonly<{ call: CallRow; connection: RecipeConnection; effect: Effect }>,
  ): Promise<Outcome<Inputs>>;
  /** What this process does itself over the team's connection, by name, instead of sending a request. */
  local?: ReadonlyMap<string, LocalOperation>;
  /** The remote MCP server that it is made of, whose tools are its operations; only while it runs. */
  remote?: RemoteProvider;
  /** How its changes are planned and taken back, by operation; one without a rule cannot be taken back. */
  changes?: ChangeRules;
  /** Explains calls of users that name something that is not there. */
  explainMissing?: ExplainMissing;
  /** Path prefixes that the REST routes omit, such as `/api/v2` (REST-001). */
  versionPrefixes: readonly string[];
  /** The timeout of one request, in ms. */
  timeoutMs: number;
  /** The maximum size of one answer, in bytes. */
  maxBytes: number;
  /** Requests of the vendor's own, by name, which only this server's own work calls; none by default. */
  requests?: OperationTable;
  /** What the vendor's documents leave open, for `doctor --live`. */
  checks?: readonly LiveCheck[];
  /** How often and for how long a request is retried; 5 times within 60 s by default. */
  retries?: RetryBounds;
}>;

/** The display name of the service: its kind, and its vendor where known. */
export function nameOf({ title, vendor }: Pick<Provider, 'title' | 'vendor'>): string {
  return vendor === null ? title : `${title} (${vendor})`;
}

/** The service at each of its vendors, the first one first. */
export function vendorsOf(provider: Provider): readonly Provider[] {
  return [provider, ...(provider.others?.values() ?? [])];
}

/** The display name of the service on this server: without a vendor where it has several. */
export function serviceNameOf(provider: Pick<Provider, 'title' | 'vendor' | 'others'>): string {
  return provider.others === undefined ? nameOf(provider) : provider.title;
}

/** The display name at the start of a sentence: 'The Sales CRM (Pipedrive)'. */
export function titleOf(provider: Pick<Provider, 'title' | 'vendor'>): string {
  return `The ${nameOf(provider)}`;
}
