import type { KnownClient } from '#domain/oauth/client.ts';
import type { DocumentError } from '#domain/oauth/client-document.ts';
import type { Result } from '#domain/shared/result.ts';

/** Finds clients that are described by a metadata document at the URL that is their id. */
export interface ClientDocuments {
  /** Fetches the client's document; fails with the problem when it cannot be fetched or is invalid. */
  find(clientId: string): Promise<Result<KnownClient, DocumentError>>;
}
