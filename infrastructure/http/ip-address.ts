import { BlockList, isIP } from 'node:net';
import { LRUCache } from 'lru-cache';

/**
 * Where an address leads: `public` on the internet; `private` to a local network or to this machine; `forbidden` to what no
 * address from a user may mean: link-local with clouds' metadata services, unspecified, broadcast and multicast.
 */
export type AddressKind = 'public' | 'private' | 'forbidden';

/** Addresses that are forbidden: IANA's special-purpose registries, and clouds' metadata services beside 169.254.169.254 and fe80::. */
const forbidden = listOf([
  ['0.0.0.0', 8],
  ['169.254.0.0', 16],
  ['224.0.0.0', 3],
  ['100.100.100.200', 32],
  ['168.63.129.16', 32],
  ['192.0.0.192', 32],
  ['::', 128],
  ['fe80::', 10],
  ['ff00::', 8],
  ['fd00:ec2::', 32],
  ['fd20:ce::', 32],
]);
const personal = listOf([
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['::1', 128],
  ['fc00::', 7],
  ['fec0::', 10],
]);
/**
 * Prefixes of IPv6 addresses whose last four bytes are the IPv4 address that a packet ends up at: mapped, compatible,
 * translated (NAT64).
 */
const carriers = listOf([
  ['::ffff:0:0', 96],
  ['::', 96],
  ['::ffff:0:0:0', 96],
  ['64:ff9b::', 96],
  ['64:ff9b:1::', 48],
]);

/** The kinds of the addresses that were asked for last: a provider at an IP address is judged before each of its requests. */
const known = new LRUCache<string, AddressKind>({ max: 1_000 });

/** Classifies an IP address, as resolvers and URL parsers write it; a zone does not matter. Any other text is `forbidden`. */
export function kindOfAddress(written: string): AddressKind {
  const kind = known.get(written) ?? kindByLists(written);
  known.set(written, kind);
  return kind;
}

function kindByLists(written: string): AddressKind {
  const address = written.replace(/^\[|\]$/g, '').replace(/%.*$/, '');
  const version = isIP(address);
  if (version === 0) return 'forbidden';
  if (version === 4) return kindIn(address, 'ipv4');
  const own = kindIn(address, 'ipv6');
  if (own !== 'public') return own;
  const groups = groupsOf(address);
  if (carriers.check(address, 'ipv6')) return kindIn(dotted(groups[6], groups[7]), 'ipv4');
  // 6to4 and Teredo tunnel to the IPv4 address that they carry, Teredo with its bits inverted.
  if (groups[0] === 0x2002) return kindIn(dotted(groups[1], groups[2]), 'ipv4');
  if (groups[0] === 0x2001 && groups[1] === 0) return 'forbidden';
  return 'public';
}

function kindIn(address: string, family: 'ipv4' | 'ipv6'): AddressKind {
  if (forbidden.check(address, family)) return 'forbidden';
  return personal.check(address, family) ? 'private' : 'public';
}

function listOf(subnets: readonly (readonly [address: string, bits: number])[]): BlockList {
  const list = new BlockList();
  for (const [address, bits] of subnets) list.addSubnet(address, bits, address.includes(':') ? 'ipv6' : 'ipv4');
  return list;
}

/** The eight groups of an IPv6 address, in the spelling of URLs, which has no dots and at most one `::`. */
function groupsOf(address: string): readonly number[] {
  const plain = new URL(`http://[${address}]/`).hostname.slice(1, -1);
  const [head = '', tail = ''] = plain.split('::');
  const start = head === '' ? [] : head.split(':');
  const end = tail === '' ? [] : tail.split(':');
  const zeros = Array<string>(8 - start.length - end.length).fill('0');
  return [...start, ...zeros, ...end].map((group) => Number.parseInt(group, 16));
}

function dotted(high = 0, low = 0): string {
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}
