import { describe, expect, it } from 'vitest';
import {
  type AccessLevel,
  choiceOfScope,
  chooseGrant,
  everything,
  grantOfScope,
  limitedTo,
  scopeOf,
  underScope,
} from '#domain/oauth/grant.ts';
import { missingScope } from '#domain/oauth/scope-challenge.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import { isLimited, isPermitted, mayChange } from '#domain/users/rights.ts';
import { guest } from '#domain/users/user.ts';

const all = ['sales_crm', 'signing', 'suite_crm', 'tracker', 'vault'] as const;
const permitted = (...permissions: readonly ServiceKey[]) => ({ ...guest, id: 1, permissions, isAdmin: true });
const choice = (levels: Readonly<Record<string, AccessLevel>>) => new Map(Object.entries(levels));
const same = (level: AccessLevel) => new Map(all.map((service) => [service, level]));

describe('a grant that a user chooses', () => {
  it('is everything when the user chose full access to all that they are permitted', () => {
    const chosen = choice({ vault: 'full', tracker: 'full' });
    expect(chooseGrant(permitted('tracker', 'vault'), chosen, all)).toEqual({ ok: true, value: everything(all) });
  });

  it('is to read everything when the user chose to have all read that they are permitted', () => {
    const chosen = choice({ vault: 'read', tracker: 'read', signing: 'off' });
    const value = same('read');
    expect(chooseGrant(permitted('tracker', 'vault'), chosen, all)).toEqual({ ok: true, value });
  });

  it('is what was chosen for each service, in the order of the services', () => {
    const chosen = choice({ vault: 'full', tracker: 'read', signing: 'off' });
    const granted = chooseGrant(permitted(...all), chosen, all);
    expect(granted.ok && [...granted.value]).toEqual([
      ['tracker', 'read'],
      ['vault', 'full'],
    ]);
  });

  it('includes nothing for names beyond the user’s permissions, or of no service', () => {
    const chosen = new Map<string, AccessLevel>([
      ['vault', 'read'],
      ['sales_crm', 'full'],
      ['constructor', 'full'],
      ['', 'full'],
    ]);
    const value = new Map([['vault', 'read']]);
    expect(chooseGrant(permitted('tracker', 'vault'), chosen, all)).toEqual({ ok: true, value });
  });

  it.each([{}, { sales_crm: 'full' }, { Vault: 'full' }, { vault: 'off', tracker: 'off' }] as const)(
    'is refused when it leaves no service: %j',
    (levels) => {
      const refused = { ok: false, failure: { reason: 'no_service' } };
      expect(chooseGrant(permitted('tracker', 'vault'), choice(levels), all)).toEqual(refused);
    },
  );

  it('is everything when the user is permitted nothing that could be chosen', () => {
    expect(chooseGrant(permitted(), choice({}), all)).toEqual({ ok: true, value: everything(all) });
  });
});

describe('a grant as a scope', () => {
  it('is absent for everything', () => expect(scopeOf(everything(all), all)).toBeNull());

  it.each([
    [{ vault: 'full' }, 'vault'],
    [{ sales_crm: 'read', vault: 'read' }, 'sales_crm:read vault:read'],
    [{ tracker: 'read', vault: 'full' }, 'tracker:read vault'],
    [
      { sales_crm: 'read', signing: 'read', suite_crm: 'read', tracker: 'read', vault: 'read' },
      'sales_crm:read signing:read suite_crm:read tracker:read vault:read',
    ],
  ] as const)('is built from %j: %s (GRANT-011)', (levels, scope) => {
    const grant = new Map(Object.entries<'read' | 'full'>(levels));
    expect(scopeOf(grant, all)).toBe(scope);
    expect(grantOfScope(scope, all)).toEqual(grant);
  });

  it.each([
    '',
    ' ',
    'admin',
    'vault *',
    '* vault',
    'vault tracker:everything',
    'vault:write',
    'VAULT',
    'vault\ttracker',
    '*:full',
  ])('grants nothing when it cannot be read: "%s" (GRANT-013)', (scope) => {
    expect(grantOfScope(scope, all)).toEqual(new Map());
    expect(underScope(scope, permitted(...all), all)).toMatchObject({ permissions: [], isAdmin: false });
  });

  it('grants what this server has of a scope of one with other services (GRANT-013)', () => {
    expect(grantOfScope('chat vault:read tracker', all)).toEqual(
      new Map([
        ['tracker', 'full'],
        ['vault', 'read'],
      ]),
    );
  });

  it('grants the lesser of both tokens of a service, and preselects the greater', () => {
    expect(grantOfScope('vault vault:read', all)).toEqual(new Map([['vault', 'read']]));
    expect(choiceOfScope('vault:read vault tracker:read nothing', all)).toEqual(
      choice({ vault: 'full', tracker: 'read' }),
    );
    expect(choiceOfScope('nothing *', all)).toBeNull();
  });
});

describe('a user limited to a grant', () => {
  const tracker = { service: 'tracker', isReading: false };

  it('keeps the user’s id and the permissions of both, and is not an administrator', () => {
    const limited = limitedTo(grantOfScope('signing vault', all), permitted('tracker', 'vault'));
    expect(limited).toMatchObject({ id: 1, permissions: ['vault'], isAdmin: false });
    expect([isLimited(limited), mayChange(limited, null)]).toEqual([true, true]);
    expect([isPermitted(limited, 'vault'), isPermitted(limited, 'tracker')]).toEqual([true, false]);
  });

  it('may change data only where the grant is full (GRANT-011)', () => {
    const mixed = underScope('tracker:read vault', permitted('tracker', 'vault'), all);
    expect([mayChange(mixed, 'tracker'), mayChange(mixed, 'vault'), mayChange(mixed, null)]).toEqual([
      false,
      true,
      true,
    ]);
    const reading = underScope('*:read', permitted('vault'), all);
    expect([isLimited(reading), mayChange(reading, 'vault'), mayChange(reading, null)]).toEqual([true, false, false]);
  });

  it('may change nothing when an earlier version of the server says that changes are withheld (GRANT-013)', () => {
    const user = { ...permitted('vault'), withheld: { services: [], changes: true } };
    expect([mayChange(user, 'vault'), mayChange(user, null)]).toEqual([false, false]);
  });

  it('is the user themselves under the scope of everything', () => {
    const user = permitted('vault');
    expect([underScope(null, user, all), underScope('*', user, all)]).toEqual([user, user]);
    expect([isLimited(user), mayChange(user, 'vault')]).toEqual([false, true]);
  });

  it.each([
    ['tracker:read vault:read', 'tracker vault:read'],
    ['vault:read', 'tracker vault:read'],
    ['vault', 'tracker vault'],
    ['tracker vault:read', null],
  ])('lacks for a change of the tracker, with "%s": %s (GRANT-014)', (scope, missing) => {
    expect(missingScope(underScope(scope, permitted('tracker', 'vault'), all), tracker, all)).toBe(missing);
  });

  it('lacks the scope for reading alone where it only reads (GRANT-014)', () => {
    const user = underScope('vault', permitted('tracker', 'vault'), all);
    expect(missingScope(user, { ...tracker, isReading: true }, all)).toBe('tracker:read vault');
    expect(missingScope(underScope('vault', permitted('vault'), all), tracker, all)).toBeNull();
  });
});
