import { hash } from 'node:crypto';
import type { AuthorizationCodes } from '#application/ports/authorization-codes.ts';
import type { Clients } from '#application/ports/clients.ts';
import type { PendingConnects } from '#application/ports/pending-connects.ts';
import { err, ok } from '#domain/shared/result.ts';
import { type AesGcmBox, NotOpened } from '#infrastructure/crypto/aes-gcm-box.ts';

type Box = Pick<AesGcmBox, 'seal' | 'open' | 'isOutdated'>;

/** Stores codes and their uses under digests: whoever reads the store cannot exchange them. */
export function digestedCodes(store: AuthorizationCodes): AuthorizationCodes {
  return {
    keep: (code) => store.keep({ ...code, code: digestOf(code.code) }),
    find: async (code) => {
      const found = await store.find(digestOf(code));
      return found === null ? null : { ...found, code };
    },
    consume: (code, use) => store.consume(digestOf(code), use),
    remove: (code) => store.remove(digestOf(code)),
    useOf: (code) => store.useOf(digestOf(code)),
  };
}

/**
 * Encrypts the clients' secrets; one encrypted with a former key is re-encrypted when the client is used. A client
 * whose secret was encrypted with a key that is gone must register again.
 */
export function sealedClients(store: Clients, box: Box): Clients {
  const keep: Clients['keep'] = ({ secret, ...client }) =>
    store.keep({ ...client, secret: box.seal(secret, clientContext(client.id)) });
  return {
    keep,
    find: async (id) => {
      const found = await store.find(id);
      if (!found.ok) return found;
      const secret = openedOrNull(box, found.value.secret, clientContext(id));
      if (secret === null) return err({ reason: 'not_found' });
      const client = { ...found.value, secret };
      if (box.isOutdated(found.value.secret)) await keep(client);
      return ok(client);
    },
    noteSignIn: (id) => store.noteSignIn(id),
  };
}

/** Stores pending connects under digests of their states, with code verifiers encrypted. */
export function sealedConnects(store: PendingConnects, box: Box): PendingConnects {
  return {
    keep: (state, connect) => {
      const { codeVerifier } = connect;
      const sealed = codeVerifier === null ? null : box.seal(codeVerifier, connectContext(state));
      return store.keep(digestOf(state), { ...connect, codeVerifier: sealed });
    },
    take: async (state) => {
      const connect = await store.take(digestOf(state));
      if (connect === null || connect.codeVerifier === null) return connect;
      const codeVerifier = openedOrNull(box, connect.codeVerifier, connectContext(state));
      return codeVerifier === null ? null : { ...connect, codeVerifier };
    },
  };
}

function digestOf(text: string): string {
  return hash('sha256', text, 'base64url');
}

function clientContext(id: string): string {
  return `clients/secret/${id}`;
}

function connectContext(state: string): string {
  return `pending_connects/code_verifier/${digestOf(state)}`;
}

function openedOrNull(box: Box, sealed: string, context: string): string | null {
  try {
    return box.open(sealed, context);
  } catch (error) {
    if (error instanceof NotOpened) return null;
    throw error;
  }
}
