import { BlockList, isIP } from 'node:net';

/** Whether an entry is an IP address or a range in CIDR notation, such as 203.0.113.0/24 or 2001:db8::/32. */
export function isAddressRange(entry: string): boolean {
  const [address = '', prefix, ...rest] = entry.split('/');
  const version = address.includes('%') ? 0 : isIP(address);
  if (version === 0 || rest.length > 0) return false;
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= (version === 4 ? 32 : 128));
}

/**
 * Returns a predicate for addresses within any of the ranges, each valid by `isAddressRange`. IPv4-mapped IPv6
 * addresses count as IPv4.
 */
export function addressRanges(entries: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const entry of entries) {
    const [address = '', prefix] = entry.split('/');
    const family = familyOf(address);
    if (prefix === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(prefix), family);
  }
  return (given) => {
    const [address = ''] = given.replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, '').split('%');
    return isIP(address) !== 0 && list.check(address, familyOf(address));
  };
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 4 ? 'ipv4' : 'ipv6';
}
