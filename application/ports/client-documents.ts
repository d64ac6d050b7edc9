import type { KnownClient } from '#domain/oauth/client.ts';
import type { DocumentError } from '#domain/oauth/client-document.ts';
import type { Result } from '#domain/shared/result.ts';

/** Finds clients that are described by a document at an address of their own, which is their id. */
export interface ClientDocuments {
  /** The client at the address, from its document; what is wrong when the document cannot be had or used. */
  find(clientId: string): Promise<Result<KnownClient, DocumentError>>;
}
