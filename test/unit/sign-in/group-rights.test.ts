import { describe, expect, it } from 'vitest';
import { domainOf, isTakenIn } from '#domain/sign-in/admission.ts';
import { readGroupRights, rightsByGroups } from '#domain/sign-in/group-rights.ts';
import { identityIdOf } from '#domain/sign-in/identity.ts';

const services = ['sales_crm', 'signing', 'vault'];
const rulesOf = (text: string) => {
  const read = readGroupRights(text, services);
  if (!read.ok) throw new Error(read.failure.message);
  return read.value;
};

describe('rights of groups', () => {
  it('are read with names that have equals signs, commas and spaces (SET-027)', () => {
    expect(rulesOf(' crm-team = signing , sales_crm ; cn=Vault Users,ou=all=vault;admins=administrator,all; ')).toEqual(
      [
        { group: 'crm-team', permissions: ['sales_crm', 'signing'], isAdmin: false },
        { group: 'cn=Vault Users,ou=all', permissions: ['vault'], isAdmin: false },
        { group: 'admins', permissions: services, isAdmin: true },
      ],
    );
    expect(rulesOf('')).toEqual([]);
  });

  it.each(['crm', 'crm=', '=vault', 'crm=vaults', 'crm=vault;crm=signing', 'crm=administrators'])(
    'are refused when they are "%s" (SET-027)',
    (text) => {
      expect(readGroupRights(text, services)).toMatchObject({ ok: false, failure: { reason: 'invalid_rights' } });
    },
  );

  it('give and take the rights that some group gives, and no others (OIDC-013)', () => {
    const rules = rulesOf('a=sales_crm;b=administrator,signing');
    const user = { permissions: ['sales_crm', 'vault'], isAdmin: false };
    expect(rightsByGroups(rules, ['b', 'unknown'], user)).toEqual({ permissions: ['vault', 'signing'], isAdmin: true });
    expect(rightsByGroups(rules, [], { ...user, isAdmin: true })).toEqual({ permissions: ['vault'], isAdmin: false });
    expect(rightsByGroups(rulesOf('a=sales_crm'), [], { ...user, isAdmin: true })).toMatchObject({ isAdmin: true });
  });
});

describe('whom a server takes in', () => {
  const person = {
    issuer: 'https://sso.example.com',
    subject: 's',
    email: 'A@Example.com',
    verifiedEmail: 'A@Example.com',
    groups: ['a'],
  };
  const rules = rulesOf('a=vault');

  it('is people of the domains, or else of the groups, or else nobody (OIDC-010)', () => {
    expect(isTakenIn({ domains: ['example.com'], rules: [] }, person)).toBe(true);
    expect(isTakenIn({ domains: ['example.org'], rules }, person)).toBe(false);
    expect(isTakenIn({ domains: [], rules }, person)).toBe(true);
    expect(isTakenIn({ domains: [], rules }, { ...person, groups: ['b'] })).toBe(false);
    expect(isTakenIn({ domains: [], rules }, { ...person, groups: null })).toBe(false);
    expect(isTakenIn({ domains: [], rules: [] }, person)).toBe(false);
  });

  it('is nobody without a verified e-mail (OIDC-007)', () => {
    const policy = { domains: ['example.com'], rules };
    expect(isTakenIn(policy, { ...person, verifiedEmail: null })).toBe(false);
  });

  it('is decided by what follows the last @ of the e-mail', () => {
    expect(domainOf(' Ada@Example.COM ')).toBe('example.com');
    expect(domainOf('"example.com@"@evil.com')).toBe('evil.com');
  });
});

describe('an identity', () => {
  it('is another one for each issuer and subject, whatever characters they have (OIDC-006)', () => {
    const pairs = [
      ['https://a.example.com', 'b'],
      ['https://a.example.com', 'B'],
      ['https://a.example.com/', 'b'],
      ['https://a.example.com","b', ''],
      ['https://a.example.com', '","b'],
    ] as const;
    const ids = pairs.map(([issuer, subject]) => identityIdOf({ issuer, subject }));
    expect(new Set(ids).size).toBe(pairs.length);
    for (const id of ids) expect(id).toMatch(/^[\w-]{43}$/);
  });
});
