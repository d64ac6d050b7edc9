import { describe, expect, it } from 'vitest';
import { chooseGrant, everything, type GrantChoice, grantOfScope, limitedTo, scopeOf } from '#domain/oauth/grant.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import { isLimited, isPermitted, mayChange } from '#domain/users/rights.ts';
import { guest } from '#domain/users/user.ts';

const all = ['sales_crm', 'signing', 'suite_crm', 'tracker', 'vault'] as const;
const permitted = (...permissions: readonly ServiceKey[]) => ({ ...guest, id: 1, permissions, isAdmin: true });
const choice = (services: GrantChoice['services'], isReadonly = false) => ({ services, isReadonly });

describe('a grant that a user chooses', () => {
  it.each([
    ['was not asked', choice(null)],
    ['ticked all that they are permitted', choice(['vault', 'tracker'])],
  ])('is everything when the user %s', (_, chosen) => {
    expect(chooseGrant(permitted('tracker', 'vault'), chosen, all)).toEqual({ ok: true, value: everything(all) });
  });

  it('is everything, read-only, when all is ticked and only reading is chosen', () => {
    const value = { services: all, isReadonly: true };
    expect(chooseGrant(permitted('tracker', 'vault'), choice(['tracker', 'vault'], true), all)).toEqual({
      ok: true,
      value,
    });
  });

  it('is what was ticked, in the order of the services, each once', () => {
    const value = { services: ['tracker', 'vault'], isReadonly: false };
    expect(chooseGrant(permitted(...all), choice(['vault', 'tracker', 'vault']), all)).toEqual({ ok: true, value });
  });

  it('includes nothing for names beyond the user’s permissions, or of no service', () => {
    const names = ['vault', 'sales_crm', 'constructor', ''];
    expect(chooseGrant(permitted('tracker', 'vault'), choice(names), all)).toEqual({
      ok: true,
      value: { services: ['vault'], isReadonly: false },
    });
  });

  it.each([[[]], [['sales_crm']], [['Vault']], [['vault,tracker']]])(
    'is refused when it leaves no service: %j',
    (names) => {
      const refused = { ok: false, failure: { reason: 'no_service' } };
      expect(chooseGrant(permitted('tracker', 'vault'), choice(names), all)).toEqual(refused);
    },
  );

  it('is everything when the user is permitted nothing that could be ticked', () => {
    expect(chooseGrant(permitted(), choice([]), all)).toEqual({ ok: true, value: everything(all) });
  });
});

describe('a grant as a scope', () => {
  it('is absent for everything', () => expect(scopeOf(everything(all), all)).toBeNull());

  it.each([
    [['vault'], false, 'vault'],
    [['sales_crm', 'vault'], true, 'sales_crm:read vault:read'],
    [all, true, 'sales_crm:read signing:read suite_crm:read tracker:read vault:read'],
  ] as const)('is built from %j, read only %s: %s', (services, isReadonly, scope) => {
    expect(scopeOf({ services, isReadonly }, all)).toBe(scope);
    expect(grantOfScope(scope, all)).toEqual({ services, isReadonly });
  });

  it.each([
    ['', [], true],
    ['admin *', [], true],
    ['vault admin', ['vault'], false],
    ['vault tracker:read', ['tracker', 'vault'], true],
    ['vault tracker:everything', ['vault'], false],
  ])('grants nothing for unknown words: "%s"', (scope, services, isReadonly) => {
    expect(grantOfScope(scope, all)).toEqual({ services, isReadonly });
  });
});

describe('a user limited to a grant', () => {
  it('keeps the user’s id and the permissions of both, and is not an administrator', () => {
    const limited = limitedTo({ services: ['vault', 'signing'], isReadonly: false }, permitted('tracker', 'vault'));
    expect(limited).toMatchObject({ id: 1, permissions: ['vault'], isAdmin: false });
    expect([isLimited(limited), mayChange(limited)]).toEqual([true, true]);
    expect(all.filter((service) => isPermitted(limited, service))).toEqual(['vault']);
  });

  it('changes nothing when they may only read', () => {
    const limited = limitedTo({ services: all, isReadonly: true }, permitted('vault'));
    expect([isLimited(limited), mayChange(limited)]).toEqual([true, false]);
  });

  it('is like any other user otherwise', () => {
    expect([isLimited(permitted('vault')), mayChange(permitted('vault'))]).toEqual([false, true]);
  });
});
