import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { OutboundTokens } from '#application/ports/outbound-tokens.ts';
import type { TokenRecord } from '#domain/tokens/token-record.ts';

/** Connections to test, and how to throw them away. */
export type OpenTokens = () => Promise<Readonly<{ tokens: OutboundTokens; close(): Promise<void> }>>;

const oauth: TokenRecord = {
  userId: 1,
  service: 'suite_crm',
  authMethod: 'oauth',
  accessToken: 'access-1',
  refreshToken: 'refresh-1',
  scope: 'ZohoCRM.modules.ALL,ZohoCRM.users.ALL',
  expiresAt: 1_769_172_798_123,
  extra: { api_domain: 'https://api.example', data_center: 'EU', header_format: 'own' },
  updatedAt: 1_769_172_700_000,
};

const key: TokenRecord = {
  userId: 1,
  service: 'vault',
  authMethod: 'api_key',
  accessToken: 'key-1',
  refreshToken: null,
  scope: null,
  expiresAt: null,
  extra: { base_url: 'http://127.0.0.1:27123', verify_ssl: false },
  updatedAt: 1,
};

/** What all stores of connections do (CONN-001, CONN-013). */
export function outboundTokensContract(name: string, open: OpenTokens): void {
  describe(`outbound tokens (${name})`, () => {
    let tokens: OutboundTokens;
    let close: () => Promise<void>;

    beforeEach(async () => {
      ({ tokens, close } = await open());
    });
    afterEach(() => close());

    it('TOKENS-001 gives back every field as it was kept', async () => {
      await tokens.keep(oauth);
      await tokens.keep(key);
      expect(await tokens.find(1, 'suite_crm')).toEqual(oauth);
      expect(await tokens.find(1, 'vault')).toEqual(key);
    });

    it('TOKENS-002 has none where none was kept', async () => {
      await tokens.keep(oauth);
      expect(await tokens.find(1, 'tracker')).toBeNull();
      expect(await tokens.find(2, 'suite_crm')).toBeNull();
    });

    it('TOKENS-003 keeps one record for a user and service, the last (CONN-001)', async () => {
      await tokens.keep(oauth);
      const renewed = {
        ...oauth,
        accessToken: 'access-2',
        refreshToken: null,
        scope: null,
        expiresAt: null,
        extra: {},
      };
      await tokens.keep(renewed);
      expect(await tokens.find(1, 'suite_crm')).toEqual(renewed);
      expect(await tokens.list(1)).toHaveLength(1);
    });

    it('TOKENS-004 lists a user’s records in the order of the services', async () => {
      await tokens.keep(key);
      await tokens.keep(oauth);
      await tokens.keep({ ...oauth, userId: 2, service: 'sales_crm' });
      expect(await tokens.list(1)).toEqual([oauth, key]);
      expect(await tokens.list(3)).toEqual([]);
    });

    it('TOKENS-005 forgets a record, once', async () => {
      await tokens.keep(oauth);
      await tokens.keep(key);
      expect(await tokens.remove(1, 'suite_crm')).toBe(true);
      expect(await tokens.remove(1, 'suite_crm')).toBe(false);
      expect(await tokens.list(1)).toEqual([key]);
    });

    it('TOKENS-006 tells where tokens of all users can be renewed, for the background job', async () => {
      await tokens.keep(oauth);
      await tokens.keep(key);
      await tokens.keep({ ...oauth, userId: 2 });
      await tokens.keep({ ...oauth, userId: 3, refreshToken: null });
      await tokens.keep({ ...oauth, userId: 4, expiresAt: null });
      expect(await tokens.renewable()).toEqual([
        { userId: 1, service: 'suite_crm' },
        { userId: 2, service: 'suite_crm' },
      ]);
    });

    it('TOKENS-007 replaces a record that is still the one that was read', async () => {
      const renewed = { ...oauth, accessToken: 'access-2', refreshToken: 'refresh-2', updatedAt: 1_769_172_900_000 };
      await tokens.keep(oauth);
      expect(await tokens.replace(oauth, renewed)).toBe(true);
      expect(await tokens.find(1, 'suite_crm')).toEqual(renewed);
    });

    it('TOKENS-008 does not replace a record that has changed, nor bring back one that is gone', async () => {
      const byUser = { ...oauth, accessToken: 'access-of-the-user' };
      const renewed = { ...oauth, accessToken: 'access-2' };
      await tokens.keep(byUser);
      expect(await tokens.replace(oauth, renewed)).toBe(false);
      expect(await tokens.find(1, 'suite_crm')).toEqual(byUser);
      await tokens.remove(1, 'suite_crm');
      expect(await tokens.replace(oauth, renewed)).toBe(false);
      expect(await tokens.find(1, 'suite_crm')).toBeNull();
    });

    it('TOKENS-009 lets one of many replace the same record', async () => {
      await tokens.keep(oauth);
      const tries = ['a', 'b', 'c', 'd'].map((accessToken) => tokens.replace(oauth, { ...oauth, accessToken }));
      expect((await Promise.all(tries)).filter(Boolean)).toHaveLength(1);
    });
  });
}
