import { type LookupAddress, lookup as systemLookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { type AddressKind, kindOfAddress } from '#infrastructure/http/ip-address.ts';

/** How far requests may go: `any` address, for those that an operator has set; `private` and public ones; or `public` ones alone. */
export type Reach = 'any' | 'private' | 'public';

/** Finds the addresses of a name, as the system does. */
export type Resolve = (host: string, give: (error: Error | null, addresses: readonly LookupAddress[]) => void) => void;

/** Resolves names as every program on this machine does. */
export const systemResolve: Resolve = (host, give) =>
  systemLookup(host, { all: true }, (error, addresses) => give(error, addresses ?? []));

/** The code of the error when a request may not go where its address leads. */
export const refusedAddressCode = 'ERR_ADDRESS_REFUSED';

/** An address that a request may not go to. */
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

/** Why a request with this address may not be sent, when the address says so itself by an IP address; else null. */
export function refusedLiteral(url: string, reach: Reach): RefusedAddress | null {
  const host = hostOf(url);
  return isIP(host) === 0 ? null : refusalOf(host, host, reach);
}

/**
 * A resolver for connections, which gives only addresses that are within reach: it is asked when a connection is made, so that what a
 * name leads to cannot change between the check and the use of it.
 */
export function lookupWithin(reach: Reach, resolve: Resolve): LookupFunction {
  return (host, { all = false, family = 0 }, give) => {
    resolve(host, (error, addresses) => {
      if (error !== null) return give(error, '');
      const wanted = addresses.filter(
        (one) => family === 0 || one.family === Number(String(family).replace('IPv', '')),
      );
      const [first, ...others] = wanted.filter(({ address }) => refusalOf(host, address, reach) === null);
      if (first === undefined) return give(refusalOfAll(host, wanted, reach), '');
      return all ? give(null, [first, ...others]) : give(null, first.address, first.family);
    });
  };
}

/** What the address of a server means now: the worst of all that its name leads to; null when it leads nowhere at the moment. */
export async function kindOfServer(url: string, resolve: Resolve): Promise<AddressKind | null> {
  const kinds = (await addressesOf(hostOf(url), resolve)).map(kindOfAddress);
  return (['forbidden', 'private', 'public'] as const).find((kind) => kinds.includes(kind)) ?? null;
}

/** Why a server is out of reach now; null when it is within, or when its name leads nowhere at the moment. */
export async function refusalOfServer(url: string, reach: Reach, resolve: Resolve): Promise<RefusedAddress | null> {
  const host = hostOf(url);
  const addresses = await addressesOf(host, resolve);
  const refusals = addresses.map((address) => refusalOf(host, address, reach));
  return refusals.includes(null) ? null : (refusals[0] ?? null);
}

function addressesOf(host: string, resolve: Resolve): Promise<readonly string[]> {
  if (isIP(host) !== 0) return Promise.resolve([host]);
  return new Promise((settle) => {
    resolve(host, (_, addresses) => settle(addresses.map(({ address }) => address)));
  });
}

function refusalOfAll(host: string, addresses: readonly LookupAddress[], reach: Reach): Error {
  const refused = addresses.map(({ address }) => refusalOf(host, address, reach)).find((refusal) => refusal !== null);
  return refused ?? Object.assign(new Error(`${host} has no address.`), { code: 'ENOTFOUND' });
}

function refusalOf(host: string, address: string, reach: Reach): RefusedAddress | null {
  if (reach === 'any') return null;
  const kind = kindOfAddress(address);
  return kind === 'public' || (kind === 'private' && reach === 'private')
    ? null
    : new RefusedAddress(host, address, kind);
}

function hostOf(url: string): string {
  return new URL(url).hostname.replace(/^\[|\]$/g, '');
}
