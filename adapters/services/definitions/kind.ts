import type { z } from 'zod';
import type { ChangeRules } from '#adapters/services/changes/change-rule.ts';
import type { Provider } from '#adapters/services/definitions/provider.ts';
import type { RemoteDefinition } from '#adapters/services/definitions/remote-definition.ts';
import type { OperationTable } from '#adapters/services/requests/operation-table.ts';
import type { ServiceInstructions } from '#application/ports/operation-catalog.ts';
import type { ServiceQuestions } from '#application/ports/service-questions.ts';
import type { Reaction } from '#domain/reactions/reaction.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import type { AuthMethod } from '#domain/tokens/token-record.ts';

/** A connection method without OAuth. */
export type KeyMethod = Exclude<AuthMethod, 'oauth'>;

/**
 * A kind of service, in neutral words: what any vendor of a sales CRM or a tracker does. `More` are its settings besides
 * the standard ones, by variable name.
 */
export type Kind<
  Operations extends OperationTable = OperationTable,
  More extends z.ZodRawShape = z.ZodRawShape,
> = Readonly<{
  /**
   * Lower-case words joined by underscores, used for its routes, permission, columns and the prefix of its settings.
   */
  key: ServiceKey;
  /** The title that people read: 'Sales CRM'. */
  title: string;
  /** The noun in its sentences, 'The sales CRM …'. */
  noun: string;
  /** The name of its icon on the pages: 'funnel', 'pen', 'people', 'ticket', 'notebook'; a compass by default. */
  icon?: string;
  /** A sentence to try with an assistant, which only reads, or writes a note. */
  example?: string;
  settings?: More;
  /** Its operations; each request is the neutral one, unless a vendor sends another. */
  operations: Operations;
  /** The connection method besides OAuth; null when there is none. */
  keyMethod: KeyMethod | null;
  /** Whether each connection has its own address, in `base_url`, as opposed to one set by an administrator. */
  hasOwnAddress?: boolean;
  /** The operation that tests credentials: one without required inputs that reads little. */
  probe: Extract<keyof Operations, string>;
  /** Creates the resolver of names among a row's inputs; its cache belongs to one server. */
  names?(): Readonly<{ resolve: NonNullable<Provider['resolveNames']> }>;
  changedNote?: Provider['changedNote'];
  /** How its changes are planned and taken back, by operation. */
  changes?: ChangeRules;
  explainMissing?: NonNullable<Provider['explainMissing']>;
  /** False for a service that reaches nothing beyond the user's own data. */
  isOpenWorld?: boolean;
  /** Path prefixes that the REST routes omit, such as `/api/v2`. */
  versionPrefixes?: readonly string[];
  /** The timeout of one request, in ms; 30,000 by default. */
  timeoutMs?: number;
  /** The maximum size of one answer, in bytes; 32 MiB by default. */
  maxBytes?: number;
  retries?: Provider['retries'];
  /** The variable that holds the secrets of its deliveries: 'TRACKER_WEBHOOK_SECRET'; absent when it sends none. */
  webhookSecret?: string;
  /** The maximum length of each of those secrets, in characters; unlimited by default. */
  maxSecretLength?: number;
  /** Reactions to its events, besides those of `domain/reactions`. */
  reactions?: readonly Reaction[];
  instructions: ServiceInstructions;
  /** The remote MCP server that it is made of. */
  remote?: RemoteDefinition;
  /** What the tools over all services ask of it; without it they leave it out. */
  questions?: ServiceQuestions<Extract<keyof Operations, string>>;
}>;

/** Describes a kind; its vendors are made by `defineVendor`. */
export function defineKind<const Operations extends OperationTable, More extends z.ZodRawShape = Record<string, never>>(
  kind: Kind<Operations, More>,
): Kind<Operations, More> {
  return kind;
}
