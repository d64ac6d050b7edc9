import type { OpenApiAuth } from '#adapters/services/from-openapi/auth.ts';
import type { Paging } from '#adapters/services/from-openapi/paging.ts';
import type { EffectRule, StatedEffect } from '#domain/operations/effect.ts';

/**
 * A picked operation, by its `operationId` or as 'GET /trips/{id}'. Only `pick` is required; the rest overrides the
 * document.
 */
export type PickedOperation =
  | string
  | Readonly<{
      pick: string;
      /** The title of its document, where several documents have an operation of that name. */
      document?: string;
      /** Its name in the service, from which those of its tool and route derive: 'trips_search'. */
      name?: string;
      /** The name of its tool; null for an operation without one. */
      tool?: string | null;
      /** A title for people. */
      title?: string;
      /** A sentence useful to people and models. */
      summary?: string;
      /** Overrides the default by method: GET reads, POST and PATCH change, PUT replaces and DELETE deletes, which lose. */
      effect?: StatedEffect;
      /** The calls with another effect, by their inputs; the first rule that holds counts. */
      effectBy?: readonly EffectRule[];
      /** Whether repeating the same call has no further effect. */
      isIdempotent?: boolean;
      /** How its list is paged; null to disable paging, whatever the document suggests. */
      paging?: Paging | null;
    }>;

/** Options that add to or override the document. */
export type OpenApiOptions = Readonly<{
  operations: readonly PickedOperation[];
  /** The key used in routes, permission and settings: 'train_travel'. Derived from the document's title by default. */
  key?: string;
  /** The display name; the document's title by default. */
  title?: string;
  /** The noun used in generated sentences, 'The train travel …'; the title in lower case by default. */
  noun?: string;
  /** Its purpose, in words for models, as a phrase after its name: 'for train tickets'. */
  purpose?: string;
  /** The base URL of the API; the document's first server by default. The setting `{KEY}_URL` takes precedence. */
  server?: string;
  /**
   * How users authenticate: the name of a scheme of the document, or a full definition. By default the operations'
   * first.
   */
  auth?: string | OpenApiAuth | undefined;
  /** The operation that tests credentials; by default the first picked one that reads and needs no input. */
  probe?: string | undefined;
  /** Headers of every request, such as the version of the API. */
  headers?: Readonly<Record<string, string>>;
  limits?: OpenApiLimits;
}>;

/** Limits on calls to the API. */
export type OpenApiLimits = Readonly<{
  /** The timeout of one request, in ms; 30,000 by default. */
  timeoutMs?: number;
  /** The maximum size of one answer, in bytes; 32 MiB by default. */
  maxBytes?: number;
  /** The maximum number of requests per connection and time window. */
  requests?: Readonly<{ count: number; windowMs: number }>;
  /** The maximum number of concurrent requests per connection. */
  concurrency?: number;
}>;
