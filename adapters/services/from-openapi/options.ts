import type { OpenApiAuth } from '#adapters/services/from-openapi/auth.ts';
import type { Paging } from '#adapters/services/from-openapi/paging.ts';
import type { Effect } from '#domain/operations/effect.ts';

/**
 * An operation that is picked, by its `operationId` or as 'GET /trips/{id}'. Of what departs from the document, only `pick` is
 * needed.
 */
export type PickedOperation =
  | string
  | Readonly<{
      pick: string;
      /** Its name in the service, of which those of its tool and its route follow: 'trips_search'. */
      name?: string;
      /** The name of its tool; null for an operation without one. */
      tool?: string | null;
      /** What a person calls it. */
      title?: string;
      /** A sentence that a person and a model can use. */
      summary?: string;
      /** Departs from the method's own: GET reads, DELETE destroys, the others write. */
      effect?: Effect;
      /** Whether the same call twice is as once. */
      isIdempotent?: boolean;
      /** How its list is paged; null for one that is not, whatever it looks like. */
      paging?: Paging | null;
    }>;

/** What is not in a document, or departs from it. */
export type OpenApiOptions = Readonly<{
  operations: readonly PickedOperation[];
  /** The word of its routes, its permission and its settings: 'train_travel'. Made of the document's title when not given. */
  key?: string;
  /** What people call it; the document's title when not given. */
  title?: string;
  /** What its own sentences call it, which begin 'The train travel …'; the title in lower case when not given. */
  noun?: string;
  /** What it is for, in words for models, as a phrase after its name: 'for train tickets'. */
  purpose?: string;
  /** Where the API is; the document's first server when not given. The setting `{KEY}_URL` takes precedence. */
  server?: string;
  /** How users authenticate: a scheme of the document by its name, or in full. The operations' first when not given. */
  auth?: string | OpenApiAuth | undefined;
  /** The operation by which credentials are tried; the first picked one that reads and needs no input when not given. */
  probe?: string | undefined;
  /** Headers of every request, such as the version of the API. */
  headers?: Readonly<Record<string, string>>;
  limits?: OpenApiLimits;
}>;

/** The bounds within which the API is called. */
export type OpenApiLimits = Readonly<{
  /** Milliseconds that one request may take; 30,000 when not given. */
  timeoutMs?: number;
  /** Bytes that one answer may have; 32 MiB when not given. */
  maxBytes?: number;
  /** Requests of one connection within a time. */
  requests?: Readonly<{ count: number; windowMs: number }>;
  /** Requests of one connection at once. */
  concurrency?: number;
}>;
