import { describe, expect, it } from 'vitest';
import { accountIn, accountOf } from '#domain/tokens/account.ts';
import { tokenRecord } from '#test/support/connections/token-record.ts';

const key = (accessToken: string, extra = {}) => accountOf(tokenRecord('sales_crm', { accessToken, extra }));
const oauth = (accessToken: string, extra = {}) =>
  accountOf(tokenRecord('tracker', { accessToken, authMethod: 'oauth', extra }));

describe('the account of a connection', () => {
  it('is the same over renewals and changed limits, by what its service answered (UNDO-027)', () => {
    const account = accountIn({ id: 7, company_id: 3, name: 'Ann' });
    expect(account).toEqual(expect.any(String));
    expect(oauth('first', { account, plan: 'free' })).toBe(oauth('second', { account, plan: 'growth' }));
    expect(key('first', { account })).toBe(key('second', { account }));
    expect(oauth('first', { account: accountIn({ id: 8, company_id: 3 }) })).not.toBe(oauth('first', { account }));
    expect(oauth('first', { account, cloud_id: 'a' })).not.toBe(oauth('first', { account, cloud_id: 'b' }));
  });

  it('is another one by another key, where nothing else identifies it (UNDO-027)', () => {
    expect(key('first')).toBe(key('first'));
    expect(key('first')).not.toBe(key('second'));
    expect(key('first')).not.toContain('first');
    expect(accountIn([{ id: 1 }, { id: 2 }])).toBe(null);
    expect(accountIn({ status: 'ok' })).toBe(null);
    expect(accountIn([{ id: 1 }])).toBe(accountIn({ id: 1 }));
  });

  it('of the team’s vault is the team (UNDO-027)', () => {
    expect(accountOf(tokenRecord('vault', { extra: { embedded: true } }))).toBe('team');
  });
});
