import { hash } from 'node:crypto';
import { forwarding } from '#adapters/stores/forwarding.ts';
import type { AuthorizationCodes } from '#application/ports/authorization-codes.ts';
import type { Clients } from '#application/ports/clients.ts';
import type { ConnectionPlace, Connections, StoredConnection } from '#application/ports/connections.ts';
import type { PendingConnects } from '#application/ports/pending-connects.ts';
import type { PendingSignIn, PendingSignIns } from '#application/ports/pending-sign-ins.ts';
import type { EntryPlace, WebhookInbox } from '#application/ports/webhook-inbox.ts';
import { unreadableSince } from '#domain/connections/connection-status.ts';
import { err, ok } from '#domain/shared/result.ts';
import { isReadable, type TokenRecord } from '#domain/tokens/token-record.ts';
import { type AesGcmBox, NotOpened } from '#infrastructure/crypto/aes-gcm-box.ts';

/**
 * Encrypts texts; `context` binds a ciphertext to where it is stored. `open` throws `NotOpened` for a text that was not
 * sealed with that context.
 */
type Box = Pick<AesGcmBox, 'seal' | 'open'>;

/** Encryption that knows which texts were encrypted with a former key. */
type RotatedBox = Pick<AesGcmBox, 'seal' | 'open' | 'isOutdated'>;

/**
 * Encrypts the credentials of connections before they are stored, and decrypts them on reading, so that the store never
 * sees a secret. Credentials that cannot be decrypted are returned empty, with a status that says so; `onUnreadable` is
 * called once per such connection, and again only if it could be decrypted in between.
 */
export function sealedConnections(
  store: Connections,
  box: Box,
  onUnreadable: (place: ConnectionPlace, error: NotOpened) => void = () => {},
): Connections {
  const reported = new Set<string>();
  const sealed = (record: TokenRecord) => withTexts(record, (text, context) => box.seal(text, context));
  const opened = ({ record, status }: StoredConnection): StoredConnection => {
    const key = contextOf('', record);
    try {
      const readable = withTexts(record, (text, context) => box.open(text, context));
      reported.delete(key);
      return { record: readable, status };
    } catch (error) {
      if (!(error instanceof NotOpened)) throw error;
      const { userId, service, updatedAt } = record;
      if (!reported.has(key)) onUnreadable({ userId, service }, error);
      reported.add(key);
      return {
        record: { ...record, accessToken: '', refreshToken: null },
        status: unreadableSince(updatedAt, error.reason),
      };
    }
  };
  const openedOrNull = (stored: StoredConnection | null) => (stored === null ? null : opened(stored));
  return forwarding(store, {
    find: async (userId, service) => openedOrNull(await store.find(userId, service)),
    reload: async (userId, service) => openedOrNull(await store.reload(userId, service)),
    list: async (userId) => (await store.list(userId)).map(opened),
    save: (record, status) => store.save(sealed(record), status),
    replace: async (before, after) => {
      for (;;) {
        const stored = await store.reload(before.userId, before.service);
        if (stored === null || !isReadable(before)) return false;
        if (opened(stored).record.accessToken !== before.accessToken) return false;
        // Each encryption gives a different ciphertext, so the ciphertext serves as the version of the stored record.
        // When it has changed while the token has not, the token was re-encrypted: retry.
        if (await store.replace(stored.record, sealed(after))) return true;
      }
    },
  });
}

/** The encrypted members of a record as it is stored, with the context that each is bound to. */
export function sealedTexts(
  record: TokenRecord,
): readonly Readonly<{ member: 'accessToken' | 'refreshToken'; text: string; context: string }>[] {
  const { accessToken, refreshToken } = record;
  const access = { member: 'accessToken', text: accessToken, context: contextOf('access_token', record) } as const;
  if (refreshToken === null) return [access];
  return [access, { member: 'refreshToken', text: refreshToken, context: contextOf('refresh_token', record) }];
}

function withTexts(record: TokenRecord, change: (text: string, context: string) => string): TokenRecord {
  const texts = sealedTexts(record).map(({ member, text, context }) => [member, change(text, context)] as const);
  return { ...record, ...Object.fromEntries(texts) };
}

/** The context that binds a ciphertext to its column, user and service. */
function contextOf(column: string, { userId, service }: ConnectionPlace): string {
  return `outbound_tokens/${column}/${userId}/${service}`;
}

/** Encrypts the bodies of deliveries before they are stored, and decrypts them on reading (INBOX-008). */
export function sealedInbox(store: WebhookInbox, box: Box): WebhookInbox {
  return forwarding(store, {
    keep: (entries) =>
      store.keep(entries.map((entry) => ({ ...entry, body: box.seal(entry.body, bodyContext(entry)) }))),
    body: async (entry) => {
      const sealed = await store.body(entry);
      return sealed === null ? null : box.open(sealed, bodyContext(entry));
    },
  });
}

/** The context that a body's encryption is bound to; the same for any store. */
export function bodyContext({ service, deliveryId }: Pick<EntryPlace, 'service' | 'deliveryId'>): string {
  return `webhook_inbox/body/${service}/${deliveryId}`;
}

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
export function sealedClients(store: Clients, box: RotatedBox): Clients {
  const keep: Clients['keep'] = ({ secret, ...client }) =>
    store.keep({ ...client, secret: box.seal(secret, clientContext(client.id)) });
  return forwarding(store, {
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
  });
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

/** Stores pending sign-ins under digests of their states, with their secrets and requests encrypted. */
export function sealedSignIns(store: PendingSignIns, box: Box): PendingSignIns {
  return {
    keep: (state, signIn) => {
      const seal = (name: string, text: string) => box.seal(text, signInContext(name, state));
      const { codeVerifier, nonce, authorize } = signIn;
      return store.keep(digestOf(state), {
        ...signIn,
        codeVerifier: seal('code_verifier', codeVerifier),
        nonce: seal('nonce', nonce),
        authorize: authorize === null ? null : seal('authorize', authorize),
      });
    },
    take: async (state) => {
      const signIn = await store.take(digestOf(state));
      return signIn === null
        ? null
        : openedSignIn(signIn, (name, text) => openedOrNull(box, text, signInContext(name, state)));
    },
  };
}

/** Decrypts a pending sign-in; null when a key is gone. */
function openedSignIn(
  signIn: PendingSignIn,
  open: (name: string, text: string) => string | null,
): PendingSignIn | null {
  const codeVerifier = open('code_verifier', signIn.codeVerifier);
  const nonce = open('nonce', signIn.nonce);
  if (codeVerifier === null || nonce === null) return null;
  const authorize = signIn.authorize === null ? null : open('authorize', signIn.authorize);
  return { ...signIn, codeVerifier, nonce, authorize };
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

function signInContext(name: string, state: string): string {
  return `pending_sign_ins/${name}/${digestOf(state)}`;
}

/** Decrypts a text; null for one that was not sealed with that context, or whose key is gone. */
export function openedOrNull(box: Box, sealed: string, context: string): string | null {
  try {
    return box.open(sealed, context);
  } catch (error) {
    if (error instanceof NotOpened) return null;
    throw error;
  }
}
