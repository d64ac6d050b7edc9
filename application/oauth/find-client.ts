import type { ClientDocuments } from '#application/ports/client-documents.ts';
import type { Clients } from '#application/ports/clients.ts';
import type { KnownClient } from '#domain/oauth/client.ts';
import {
  checkDocumentAddress,
  type DocumentError,
  isDocumentAddress,
  publisherOf,
} from '#domain/oauth/client-document.ts';
import { err, type Result } from '#domain/shared/result.ts';

/** Why there is no client with an id. */
type NoClient = Readonly<{ reason: 'unknown_client' }> | DocumentError;

/**
 * Finds a client by its id: one that registered here, or, where metadata documents are supported, one described by the
 * document at its id.
 */
export class FindClient {
  readonly #clients: Pick<Clients, 'find'>;
  readonly #documents: ClientDocuments | null;

  /** Without `documents`, URLs are treated as unregistered client ids. */
  constructor(clients: Pick<Clients, 'find'>, documents: ClientDocuments | null) {
    this.#clients = clients;
    this.#documents = documents;
  }

  /** Returns the client, or why there is none. */
  async run(id: string): Promise<Result<KnownClient, NoClient>> {
    if (this.#documents !== null && isDocumentAddress(id)) return this.#documents.find(id);
    const found = await this.#clients.find(id);
    return found.ok ? found : err({ reason: 'unknown_client' });
  }

  /**
   * Returns the client of a code exchange, null when it is unknown or not the code's; `issuedTo` is the client id of
   * the code, null when the code is unknown. A metadata document is read only for the id that a user consented to, and
   * a document that cannot be read now does not fail the exchange, because the code is already bound to the client id,
   * redirect URI and challenge: the client is then named by its host.
   */
  async forExchange(id: string, issuedTo: string | null): Promise<KnownClient | null> {
    if (this.#documents !== null && isDocumentAddress(id)) {
      if (!checkDocumentAddress(id).ok || (issuedTo !== null && id !== issuedTo)) return null;
      const described = issuedTo === null ? null : await this.#documents.find(id);
      const unread = { id, secret: null, name: publisherOf({ id }) ?? id, redirectUris: [] };
      return described?.ok === true ? described.value : unread;
    }
    const found = await this.#clients.find(id);
    return found.ok ? found.value : null;
  }
}
