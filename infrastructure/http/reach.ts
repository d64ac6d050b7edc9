import { type LookupAddress, lookup as systemLookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { type AddressKind, kindOfAddress } from '#infrastructure/http/ip-address.ts';

/** Which addresses requests may go to: `any`, for those that an operator has set; `private` and public ones; or `public` ones alone. */
export type Reach = 'any' | 'private' | 'public';

/** Resolves a name to its addresses, as the system does. */
export type Resolve = (host: string, give: (error: Error | null, addresses: readonly LookupAddress[]) => void) => void;

/** Resolves names by the system's resolver. */
export const systemResolve: Resolve = (host, give) =>
  systemLookup(host, { all: true }, (error, addresses) => give(error, addresses ?? []));

/** The error code of a request that may not go to its address. */
export const refusedAddressCode = 'ERR_ADDRESS_REFUSED';

/** Thrown for an address that a request may not go to. */
export class RefusedAddress extends Error {
  readonly code = refusedAddressCode;
  readonly kind: AddressKind;

  constructor(host: string, address: string, kind: AddressKind) {
    const place = host === address ? host : `${host} leads to ${address}, which`;
    const why =
      kind === 'private'
        ? 'is a private address or this machine itself, and may not be used here.'
        : 'is no address of a server that may be used.';
    super(`${place} ${why}`);
    this.kind = kind;
  }
}

/** Why a request to this address may not be sent, judged by the IP address in it; null when it may, or when it has a name. */
export function refusedLiteral(url: string, reach: Reach): RefusedAddress | null {
  const host = hostOf(url);
  return isIP(host) === 0 ? null : rejectionOf(host, host, reach);
}

/**
 * Builds a resolver for connections that returns only addresses within reach: it runs when a connection is made, so that a
 * name cannot lead elsewhere between the check and its use.
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

/** Classifies a server's address now: the worst kind of all that its name resolves to; null when it resolves to none at the moment. */
export async function kindOfServer(url: string, resolve: Resolve): Promise<AddressKind | null> {
  const kinds = (await addressesOf(hostOf(url), resolve)).map(kindOfAddress);
  return (['forbidden', 'private', 'public'] as const).find((kind) => kinds.includes(kind)) ?? null;
}

/** Why a server is out of reach now; null when it is within reach, or when its name does not resolve at the moment. */
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
