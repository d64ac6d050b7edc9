import type { z } from 'zod';
import type { Dialect } from '#adapters/services/dialect.ts';
import type { OAuthFacts } from '#adapters/services/oauth-facts.ts';
import type { InputOf, OperationTable, RecipeContext, RequestRow } from '#adapters/services/operation-table.ts';
import type { Provider } from '#adapters/services/provider.ts';
import type { RowInDialect } from '#adapters/services/row-options.ts';
import type { RecordOfCall, VendorGuide, WebhookDefinition } from '#adapters/services/service.ts';
import type { ServiceSettings } from '#adapters/services/service-settings.ts';
import type { Outcome } from '#domain/operations/outcome.ts';
import type { TokenRecord } from '#domain/tokens/token-record.ts';
import type { HttpClient } from '#infrastructure/http/http-client.ts';

/** Requests of a vendor's own, by name, which its recipes send; they are no operations and have no tools. */
export type VendorRequests = Readonly<Record<string, RequestRow>>;

/** Sends a request of the vendor's own. */
export type SendRequest<Requests extends VendorRequests> = <Name extends Extract<keyof Requests, string>>(
  name: Name,
  input: InputOf<Requests, Name>,
) => Promise<Outcome>;

/** Does an operation by several requests, or by one whose input or answer has to be converted. */
export type VendorRecipe<Input, Requests extends VendorRequests> = (
  send: SendRequest<Requests>,
  input: Input,
  context: RecipeContext,
) => Promise<Outcome>;

/** Says that the vendor has no equivalent of an operation, and why or what to use instead. */
export type Lacking = Readonly<{ lacks: string }>;

/**
 * How a vendor does an operation of its kind: as a request that differs from the contract's (`{}` when it does not), as
 * a recipe, or not at all.
 */
export type VendorOperation<Input, Requests extends VendorRequests> =
  | RowInDialect
  | Lacking
  | VendorRecipe<Input, Requests>;

/** How a vendor does the operations of its kind: every request, and those of the kind's recipes that it replaces. */
export type VendorOperations<Operations extends OperationTable, Requests extends VendorRequests> = {
  readonly [Name in keyof Operations as Operations[Name]['kind'] extends 'request' ? Name : never]: VendorOperation<
    z.output<Operations[Name]['input']>,
    Requests
  >;
} & {
  readonly [Name in keyof Operations]?: VendorOperation<z.output<Operations[Name]['input']>, Requests>;
};

/** The settings passed to the functions of a vendor: the standard ones, and its own. */
export type VendorSettings<More extends z.ZodRawShape> = ServiceSettings & Readonly<{ own: z.output<z.ZodObject<More>> }>;

/** A vendor as defined in its folder's `vendor.ts`: everything that the rest of the program knows about it. */
export type VendorDefinition<
  Operations extends OperationTable,
  Requests extends VendorRequests,
  More extends z.ZodRawShape,
> = Readonly<{
  /** Its name in `{SERVICE}_DIALECT`: 'pipedrive'. */
  name: string;
  /** The name that people read: 'Pipedrive'; null for the contract's neutral words. */
  title: string | null;
  /** Its settings besides the standard ones, by variable name. */
  settings?: More;
  requests?: Requests;
  operations: VendorOperations<Operations, Requests>;
  /** Addresses, authentication, naming, paging, errors, limits. */
  dialect(settings: VendorSettings<More>): Dialect;
  /** Its OAuth facts; absent for a vendor without OAuth. */
  oauth?(settings: VendorSettings<More>): OAuthFacts;
  /** The schema of what users may set in a connection's `extra`. */
  extra?: z.ZodObject | ((settings: VendorSettings<More>) => z.ZodObject);
  /** Completes a record before it is tested and stored, as `Provider.complete`. */
  complete?(
    record: TokenRecord,
    http: HttpClient,
    settings: VendorSettings<More>,
  ): ReturnType<NonNullable<Provider['complete']>>;
  /** The address of a call's record at the vendor; null when the call concerns no record with an address. */
  recordAddress?(record: RecordOfCall): string | null;
  /** The same, read from the answer if it contains the address; only addresses on the vendor's host are returned. */
  answeredAddress?(data: unknown): string | null;
  webhooks?: Omit<WebhookDefinition<VendorSettings<More>>, 'secret'>;
  guide?: VendorGuide;
}>;
