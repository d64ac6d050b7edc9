import { isAllowedRedirectUri } from '#domain/oauth/redirect-uri.ts';
import { equal } from '#domain/shared/equal.ts';
import { err, ok, type Result } from '#domain/shared/result.ts';

/** A registered OAuth client. `createdAt` is Unix seconds (REG-007). */
export type Client = Readonly<{
  id: string;
  secret: string;
  name: string;
  redirectUris: readonly string[];
  createdAt: number;
}>;

/**
 * A client as seen by authorization: registered here, or described by its own metadata document; `secret` is null for
 * the latter.
 */
export type KnownClient = Pick<Client, 'id' | 'name' | 'redirectUris'> & Readonly<{ secret: string | null }>;

/** The metadata of a registration request, not yet validated; null means not given. */
export type ClientMetadata = Readonly<{ name: unknown; redirectUris: unknown }>;

/** A rejected registration, with the codes of RFC 7591 §3.2.2; `message` says what is expected. */
export type ClientRegistrationError = Readonly<{
  reason: 'invalid_redirect_uri' | 'invalid_client_metadata';
  message: string;
}>;

/** The name of a client that registered without one (REG-004). */
const defaultClientName = 'MCP Client';

/** The entropy of a client id and of a code, in bytes (REG-002, CODE-001). */
export const idBytes = 24;

/** The entropy of a client secret, in bytes: 256 bits (REG-003). */
const secretBytes = 32;

// With at most 10,000 clients (REG-014), these limits bound the memory of a registration flood to about 50 MB.
const maxNameLength = 200;
const maxRedirectUris = 20;
const maxRedirectUrisLength = 4_096;

/**
 * Creates a client from a registration request. A null or empty name means the default name; null redirect URIs mean
 * none. `random` returns base64url of that many bytes; `now` is Unix ms.
 */
export function registerClient(
  metadata: ClientMetadata,
  { random, now }: Readonly<{ random: (bytes: number) => string; now: number }>,
): Result<Client, ClientRegistrationError> {
  const name = readName(metadata.name);
  if (!name.ok) return name;
  const redirectUris = readRedirectUris(metadata.redirectUris);
  if (!redirectUris.ok) return redirectUris;
  return ok({
    id: `client_${random(idBytes)}`,
    secret: random(secretBytes),
    name: name.value,
    redirectUris: redirectUris.value,
    createdAt: Math.floor(now / 1000),
  });
}

/** Compares a presented secret with the client's in constant time; false for a client without a secret. */
export function hasSecret(client: Pick<KnownClient, 'secret'>, secret: string): boolean {
  return client.secret !== null && equal(client.secret, secret);
}

function readName(name: unknown): Result<string, ClientRegistrationError> {
  if (name === null || name === undefined || name === '') return ok(defaultClientName);
  if (typeof name !== 'string' || name.length > maxNameLength) {
    return error('invalid_client_metadata', `client_name must be a string of at most ${maxNameLength} characters`);
  }
  return ok(name);
}

function readRedirectUris(uris: unknown): Result<readonly string[], ClientRegistrationError> {
  if (uris === null || uris === undefined) return ok([]);
  if (!Array.isArray(uris)) return error('invalid_client_metadata', 'redirect_uris must be a list of strings');
  if (uris.length > maxRedirectUris) {
    return error('invalid_client_metadata', `redirect_uris must be at most ${maxRedirectUris}`);
  }
  const texts = uris.filter((uri) => typeof uri === 'string');
  if (texts.length !== uris.length || !texts.every(isAllowedRedirectUri)) {
    return error(
      'invalid_redirect_uri',
      'each redirect URI must be absolute and without fragment or user info: https, http on a loopback address, or a private-use scheme with a dot in it, such as com.example.app:/callback',
    );
  }
  if (texts.join('').length > maxRedirectUrisLength) {
    return error(
      'invalid_client_metadata',
      `redirect_uris must have at most ${maxRedirectUrisLength} characters in all`,
    );
  }
  return ok(texts);
}

function error(reason: ClientRegistrationError['reason'], message: string) {
  return err({ reason, message });
}
