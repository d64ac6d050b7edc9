import { BlockList, isIP } from 'node:net';
import { LRUCache } from 'lru-cache';

/**
 * The kind of network that an address belongs to: `public` on the internet; `private` on a local network or this
 * machine; `forbidden` for addresses that users must not specify: link-local, including cloud metadata services,
 * unspecified, broadcast and multicast.
 */
export type AddressKind = 'public' | 'private' | 'forbidden';

/**
 * Forbidden ranges: from IANA's special-purpose registries, and cloud metadata services besides 169.254.169.254 and
 * fe80::.
 */
const forbiddenRanges = listOf([
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
const privateRanges = listOf([
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
 * Prefixes of IPv6 addresses whose last four bytes are the destination's IPv4 address: mapped, compatible, translated
 * (NAT64).
 */
const embeddingIpv4 = listOf([
  ['::ffff:0:0', 96],
  ['::', 96],
  ['::ffff:0:0:0', 96],
  ['64:ff9b::', 96],
  ['64:ff9b:1::', 48],
]);

/** The kinds of recently checked addresses: the address of a provider is checked before each request to it. */
const known = new LRUCache<string, AddressKind>({ max: 1_000 });

/** Classifies an IP address as resolvers and URL parsers write it; ignores a zone. Any other text is `forbidden`. */
export function kindOfAddress(written: string): AddressKind {
  const kind = known.get(written) ?? kindByLists(written);
  known.set(written, kind);
  return kind;
}

function kindByLists(written: string): AddressKind {
  const [address = ''] = written.replace(/^\[|\]$/g, '').split('%');
  const version = isIP(address);
  if (version === 0) return 'forbidden';
  if (version === 4) return kindIn(address, 'ipv4');
  const own = kindIn(address, 'ipv6');
  if (own !== 'public') return own;
  const groups = groupsOf(address);
  if (embeddingIpv4.check(address, 'ipv6')) return kindIn(dotted(groups[6], groups[7]), 'ipv4');
  // 6to4 addresses contain the IPv4 address of the tunnel's end; Teredo is forbidden altogether.
  if (groups[0] === 0x2002) return kindIn(dotted(groups[1], groups[2]), 'ipv4');
  if (groups[0] === 0x2001 && groups[1] === 0) return 'forbidden';
  return 'public';
}

function kindIn(address: string, family: 'ipv4' | 'ipv6'): AddressKind {
  if (forbiddenRanges.check(address, family)) return 'forbidden';
  return privateRanges.check(address, family) ? 'private' : 'public';
}

function listOf(subnets: readonly (readonly [address: string, bits: number])[]): BlockList {
  const list = new BlockList();
  for (const [address, bits] of subnets) list.addSubnet(address, bits, address.includes(':') ? 'ipv6' : 'ipv4');
  return list;
}

/** Returns the eight groups of an IPv6 address, normalized by the URL parser to have no dots and at most one `::`. */
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
