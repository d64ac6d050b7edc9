import { type LookupAddress, lookup as systemLookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { type AddressKind, kindOfAddress } from '#infrastructure/http/ip-address.ts';

/**
 * Which addresses requests may go to: `any` for those that an operator has configured; `private` for private and public
 * ones; `public` for public ones only.
 */
export type Reach = 'any' | 'private' | 'public';

/** Resolves a host name to its addresses. */
export type Resolve = (host: string, give: (error: Error | null, addresses: readonly LookupAddress[]) => void) => void;

/** The operating system's resolver. */
export const systemResolve: Resolve = (host, give) =>
  systemLookup(host, { all: true }, (error, addresses) => give(error, addresses ?? []));

/** The error code of a request whose destination is not allowed. */
export const refusedAddressCode = 'ERR_ADDRESS_REFUSED';

/** Thrown for a destination that is not allowed. */
export class RefusedAddress extends Error {
  readonly code = refusedAddressCode;
  readonly kind: AddressKind;

  constructor(host: string, address: string, kind: AddressKind) {
    const place = host === address ? host : `${host} leads to ${address}, which`;
    const why =
      kind === 'private'
        ? 'is a private address or this machine itself, and may not be used here.'
        : 'is not an allowed server address.';
    super(`${place} ${why}`);
    this.kind = kind;
  }
}

/**
 * Returns why a request to this URL is not allowed, judged by a literal IP address; null when it is allowed, or the
 * host is a name.
 */
export function refusedLiteral(url: string, reach: Reach): RefusedAddress | null {
  const host = hostOf(url);
  return isIP(host) === 0 ? null : rejectionOf(host, host, reach);
}

/**
 * Returns a DNS lookup for connections that yields only addresses within reach. The check applies to the address that
 * is connected to, which rules out DNS rebinding.
 */
export function lookupWithin(reach: Reach, resolve: Resolve): LookupFunction {
  return (host, { all = false, family = 0 }, give) => {
    resolve(host, (error, addresses) => {
      if (error !== null) return give(error, '');
      const wanted = addresses.filter(
        (one) => family === 0 || one.family === Number(String(family).replace('IPv', '')),
      );
      const [first, ...others] = wanted.filter(({ address }) => rejectionOf(host, address, reach) === null);
      if (first === undefined) return give(rejectionOfAll(host, wanted, reach), '');
      return all ? give(null, [first, ...others]) : give(null, first.address, first.family);
    });
  };
}

/**
 * Classifies a server's current addresses and returns the most restricted kind; null when the name does not resolve.
 */
export async function kindOfServer(url: string, resolve: Resolve): Promise<AddressKind | null> {
  const kinds = (await addressesOf(hostOf(url), resolve)).map(kindOfAddress);
  return (['forbidden', 'private', 'public'] as const).find((kind) => kinds.includes(kind)) ?? null;
}

/**
 * Returns why a server is currently out of reach; null when one of its addresses is within reach, or its name does not
 * resolve.
 */
export async function rejectionOfServer(url: string, reach: Reach, resolve: Resolve): Promise<RefusedAddress | null> {
  const host = hostOf(url);
  const addresses = await addressesOf(host, resolve);
  const rejections = addresses.map((address) => rejectionOf(host, address, reach));
  return rejections.includes(null) ? null : (rejections[0] ?? null);
}

function addressesOf(host: string, resolve: Resolve): Promise<readonly string[]> {
  if (isIP(host) !== 0) return Promise.resolve([host]);
  return new Promise((settle) => {
    resolve(host, (_, addresses) => settle(addresses.map(({ address }) => address)));
  });
}

function rejectionOfAll(host: string, addresses: readonly LookupAddress[], reach: Reach): Error {
  const refused = addresses
    .map(({ address }) => rejectionOf(host, address, reach))
    .find((rejection) => rejection !== null);
  return refused ?? Object.assign(new Error(`${host} has no address.`), { code: 'ENOTFOUND' });
}

function rejectionOf(host: string, address: string, reach: Reach): RefusedAddress | null {
  if (reach === 'any') return null;
  const kind = kindOfAddress(address);
  return kind === 'public' || (kind === 'private' && reach === 'private')
    ? null
    : new RefusedAddress(host, address, kind);
}

function hostOf(url: string): string {
  return new URL(url).hostname.replace(/^\[|\]$/g, '');
}
