import { nameOf, type Provider } from '#adapters/services/definitions/provider.ts';
import { type Failure, failed } from '#domain/operations/outcome.ts';
import { err, ok, type Result } from '#domain/shared/result.ts';
import type { TokenRecord } from '#domain/tokens/token-record.ts';
import type { HttpClient } from '#infrastructure/http/http-client.ts';

/**
 * Whether a user's connections may reach private addresses and this machine: administrators' may (PRIVATE_ADDRESSES).
 */
export type MayReachPrivate = (userId: number) => Promise<boolean>;

/**
 * Validates an address entered by a user; returns what it must be, or null when it is valid. Paths are appended to it,
 * so it must have neither query nor fragment.
 */
export function givenAddressError(address: string): string | null {
  const url = URL.parse(address);
  if (url === null) return 'must be an address such as https://notes.example:27124';
  const { protocol, username, password } = url;
  if (protocol !== 'https:' && protocol !== 'http:') return 'must begin with https:// or http://';
  const isBare = username === '' && password === '' && !/[?#@\\\s]/.test(address);
  return isBare ? null : 'must have no user info, query, fragment or blanks, such as https://notes.example:27124';
}

/**
 * The HTTP client for a connection: restricted to the addresses its owner may reach if the owner entered the address,
 * unrestricted if an administrator configured it. A failure for a stored address that would no longer be accepted.
 */
export async function clientFor(
  provider: Provider,
  record: TokenRecord,
  { http, mayReachPrivate }: Readonly<{ http: HttpClient; mayReachPrivate: MayReachPrivate }>,
): Promise<Result<HttpClient, Failure>> {
  const given = provider.dialect.givenAddress?.(record) ?? null;
  if (given === null) return ok(http);
  const error = givenAddressError(given);
  if (error !== null) {
    const message = `The address that the ${nameOf(provider)} was connected with ${error}. Connect it again.`;
    return err(failed('not_connected', message));
  }
  return ok(http.within((await mayReachPrivate(record.userId)) ? 'private' : 'public'));
}

/**
 * Why a connection's owner may not use its address, and what would help; null when they may, or when it does not
 * resolve now.
 */
export async function outOfReach(client: HttpClient, provider: Provider, record: TokenRecord): Promise<Failure | null> {
  const address = provider.dialect.givenAddress?.(record) ?? null;
  if (address === null) return null;
  const refused = await client.rejectionOf(address);
  if (refused === null) return null;
  const help = refused.kind === 'private' ? ` ${howToReachPrivate}` : '';
  return failed('forbidden', `The address of the ${nameOf(provider)} is refused: ${refused.message}${help}`);
}

/** The instruction for allowing a private address. */
export const howToReachPrivate =
  'Administrators may use private addresses; so may everybody once an administrator sets PRIVATE_ADDRESSES=on.';
