import type { KnownClient } from '#domain/oauth/client.ts';
import { isAllowedRedirectUri } from '#domain/oauth/redirect-uri.ts';
import { own } from '#domain/shared/own.ts';
import { err, ok, type Result } from '#domain/shared/result.ts';

/**
 * What is wrong with a client's metadata document or its URL: `message` is a predicate whose subject is the document.
 */
export type DocumentError = Readonly<{ reason: 'unusable_document'; message: string }>;

/**
 * The maximum length of a metadata document's URL, in characters: it is sent as a hidden field and stored with codes
 * and grants.
 */
const maxDocumentAddressLength = 512;

const maxNameLength = 200;
const maxRedirectUris = 50;
const dotSegment = /\/(?:\.|%2e){1,2}(?:[/?]|$)/i;

/** Whether a client id is the URL of a metadata document; ids that this server issues never start with `https://`. */
export function isDocumentAddress(clientId: string): boolean {
  return clientId.startsWith('https://');
}

/** Returns the host, with its port, that publishes a client's document; null for a client that registered here. */
export function publisherOf({ id }: Pick<KnownClient, 'id'>): string | null {
  return isDocumentAddress(id) && URL.canParse(id) ? new URL(id).host : null;
}

/**
 * Validates the URL of a metadata document (OAuth Client ID Metadata Document, §3): https with a path, without
 * fragment, user info or dot segments, and in normalized form, so that one document has one id.
 */
export function checkDocumentAddress(clientId: string): Result<URL, DocumentError> {
  if (clientId.length > maxDocumentAddressLength) {
    return unusable(`its address may have ${maxDocumentAddressLength} characters at most`);
  }
  if (!isDocumentAddress(clientId) || !URL.canParse(clientId)) return unusable('its address must be an https address');
  const url = new URL(clientId);
  const isPlain = url.username === '' && url.password === '' && !clientId.includes('#') && !dotSegment.test(clientId);
  if (!isPlain) return unusable('its address must be without user info, fragment and dot segments');
  if (url.pathname === '/') return unusable('its address must have a path');
  return url.href === clientId ? ok(url) : unusable(`its address must be spelled ${url.href.slice(0, 200)}`);
}

/**
 * Reads a client from its metadata document (§4): `client_id` equals the document's URL exactly; a name and at least
 * one redirect URI, under the same rules as registration; no secret, since the document is public.
 */
export function readClientDocument(clientId: string, document: unknown): Result<KnownClient, DocumentError> {
  if (typeof document !== 'object' || document === null || Array.isArray(document)) {
    return unusable('it must be a JSON object');
  }
  const member = (name: string): unknown => own<unknown>({ ...document }, name);
  if (member('client_id') !== clientId) return unusable('its client_id must be the address that it is at');
  if (member('client_secret') !== undefined || member('client_secret_expires_at') !== undefined) {
    return unusable('it must have no client_secret');
  }
  const method = member('token_endpoint_auth_method') ?? 'none';
  if (method !== 'none') return unusable('its token_endpoint_auth_method must be none, or left out');
  const name = member('client_name');
  if (typeof name !== 'string' || name === '' || name.length > maxNameLength) {
    return unusable(`its client_name must be a text of 1 to ${maxNameLength} characters`);
  }
  const uris = member('redirect_uris');
  if (!Array.isArray(uris) || uris.length === 0 || uris.length > maxRedirectUris) {
    return unusable(`its redirect_uris must be a list of 1 to ${maxRedirectUris} addresses`);
  }
  const texts = uris.filter((uri) => typeof uri === 'string');
  if (texts.length < uris.length || !texts.every(isAllowedRedirectUri)) {
    return unusable('each of its redirect_uris must be https, http on a loopback address, or a private-use scheme');
  }
  return ok({ id: clientId, secret: null, name, redirectUris: texts });
}

function unusable(message: string) {
  return err({ reason: 'unusable_document' as const, message });
}
