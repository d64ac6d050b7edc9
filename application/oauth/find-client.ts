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

/** The reason why there is no client of an id. */
export type NoClient = Readonly<{ reason: 'unknown_client' }> | DocumentError;

/** Finds a client by its id: one that registered here, or, where documents are read, one that describes itself at its own address. */
export class FindClient {
  readonly #clients: Pick<Clients, 'find'>;
  readonly #documents: ClientDocuments | null;

  /** Without `documents` an address is an id that nobody registered. */
  constructor(clients: Pick<Clients, 'find'>, documents: ClientDocuments | null) {
    this.#clients = clients;
    this.#documents = documents;
  }

  /** The client, or why there is none. */
  async run(id: string): Promise<Result<KnownClient, NoClient>> {
    if (this.#documents !== null && isDocumentAddress(id)) return this.#documents.find(id);
    const found = await this.#clients.find(id);
    return found.ok ? found : err({ reason: 'unknown_client' });
  }

  /**
   * The client that a code is exchanged by; `issuedTo` is the code's, null when there is no code. Of documents only one that
   * a user consented to is read: its client is named by its host when it cannot be read now, since the code binds what
   * matters. Null for a client that is not known, or is not the code's.
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
