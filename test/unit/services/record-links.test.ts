import { describe, expect, it } from 'vitest';
import { settingOf } from '#adapters/services/definitions/service-settings.ts';
import type { StoredActivity } from '#application/ports/activity-log.ts';
import type { StoredConnection } from '#application/ports/connections.ts';
import { readSettings } from '#bootstrap/config/settings.ts';
import { answeredAddresses } from '#bootstrap/modules/providers.ts';
import { recordLinks } from '#bootstrap/modules/record-links.ts';
import { allServices } from '#bootstrap/services.ts';
import { tokenRecord } from '#test/support/connections/token-record.ts';

const dialects = { SALES_CRM_DIALECT: 'pipedrive', SIGNING_DIALECT: 'pandadoc', SUITE_CRM_DIALECT: 'zoho' };

/** Where the record of a call is; the connection of user 1 knows of its account what `extra` says. */
function linkOf(
  [service, operation, recordId]: readonly [string, string, string | null],
  {
    extra = {},
    env = dialects,
    viewer = 1,
    ...more
  }: Readonly<Record<string, unknown>> & { extra?: object; env?: object; viewer?: number } = {},
): Promise<string | null> {
  const { services } = readSettings({ DATA_DIR: '/nowhere', ...env });
  const status = { state: 'connected', reason: null, since: 0 };
  const record = { ...tokenRecord(service), extra };
  const find = async (userId: number) => (userId === 1 ? ({ record, status } as unknown as StoredConnection) : null);
  const entry = { id: 1, at: 0, userId: 1, grantId: null, app: 'App', effect: 'read', outcome: 'ok', ms: 1 } as const;
  return recordLinks(services, { find })({ ...entry, service, operation, recordId, recordUrl: null, ...more }, viewer);
}

const acme = { extra: { company_domain: 'acme' } };
const eu = { extra: { data_center: 'EU' } };

describe('the link of a record that a call was about', () => {
  it.each([
    [['sales_crm', 'deals.get', '7'], acme, 'https://acme.pipedrive.com/deal/7'],
    [['sales_crm', 'leads.create', 'a-1'], acme, 'https://acme.pipedrive.com/leads/inbox/a-1'],
    [['signing', 'documents.send', 'aB3'], {}, 'https://app.pandadoc.com/a/#/documents/aB3'],
    [['suite_crm', 'records.get', 'Deals/123'], eu, 'https://crm.zoho.eu/crm/tab/Potentials/123'],
    [['suite_crm', 'records.update', 'Leads/5'], eu, 'https://crm.zoho.eu/crm/tab/Leads/5'],
  ] as const)('leads to the vendor, in the connected account: %j (ACT-009)', async (call, more, address) => {
    expect(await linkOf(call, more)).toBe(address);
  });

  it.each([
    ['a company that is not known', ['sales_crm', 'deals.get', '7'], {}],
    [
      'a company that is no name of a host',
      ['sales_crm', 'deals.get', '7'],
      { extra: { company_domain: 'evil.example/' } },
    ],
    ['an id that is no id', ['sales_crm', 'deals.get', '7/../../x?y'], acme],
    ['another kind of record', ['sales_crm', 'deals.add_product', '7'], acme],
    ['a call that failed', ['sales_crm', 'deals.get', '7'], { ...acme, outcome: 'not_found' }],
    ['a user who is not connected', ['sales_crm', 'deals.get', '7'], { ...acme, userId: 2 }],
    ['no record', ['sales_crm', 'deals.get', null], acme],
    ['the neutral dialect', ['sales_crm', 'deals.get', '7'], { ...acme, env: {} }],
    ['a data centre that is not known', ['suite_crm', 'records.get', 'Deals/123'], {}],
    ['an issue whose answer named no address', ['tracker', 'issues.get', 'u-1'], {}],
    ['a service that this server has not', ['other', 'x.get', '1'], {}],
  ] as const)('is absent for %s (ACT-009)', async (_, call, more) => {
    expect(await linkOf(call, more)).toBeNull();
  });

  it("is what the tracker's answer named, at the vendor’s own host (ACT-009)", async () => {
    const { services } = readSettings({ DATA_DIR: '/nowhere', TRACKER_DIALECT: 'linear', ...dialects });
    const known = answeredAddresses(services);
    const addressIn = (service: string, data: unknown) => known.get(service)?.(data) ?? null;
    const issue = 'https://linear.app/acme/issue/ENG-1/slug#comment-1';
    expect(addressIn('tracker', { id: 'u-1', url: issue })).toBe(issue);
    expect(await linkOf(['tracker', 'issues.get', 'u-1'], { recordUrl: issue })).toBe(issue);
    const odd = [
      'https://linear.app.evil.example/acme',
      'https://linear.app@evil.example/',
      'https://x@linear.app/acme',
      'http://linear.app/acme',
      'https://linear.app:444/acme',
      'javascript:alert("https://linear.app/")',
      `https://linear.app/${'x'.repeat(500)}`,
      'acme',
      7,
    ];
    for (const url of odd) expect(addressIn('tracker', { id: 'u-1', url }), String(url)).toBeNull();
    for (const data of [null, 'text', [], {}]) expect(addressIn('tracker', data)).toBeNull();
    expect(addressIn('sales_crm', { id: 1, url: issue })).toBeNull();
    expect([...answeredAddresses(readSettings({ DATA_DIR: '/nowhere' }).services).keys()]).toEqual([]);
  });

  it('is known for every vendor, by its pages or its answers, except for the vault (ACT-009, ACT-010)', () => {
    const without = allServices.flatMap(({ key, vendors, configure }) =>
      Object.keys(vendors)
        .map((dialect) => configure({ [settingOf(key, 'DIALECT')]: dialect }))
        .filter(({ recordAddress, answeredAddress }) => recordAddress === undefined && answeredAddress === undefined)
        .map(({ vendor }) => vendor),
    );
    expect(without).toEqual(['Obsidian']);
  });

  it("is this server's page of the note, for the user whose vault it is (ACT-010)", async () => {
    const page = '/activity/note?path=Deals%2FA%20%26%20B.md';
    expect(await linkOf(['vault', 'notes.read_part', 'Deals/A & B.md'])).toBe(page);
    expect(await linkOf(['vault', 'notes.read_part', 'Deals/A & B.md'], { viewer: 2 })).toBeNull();
    expect(await linkOf(['vault', 'notes.delete', 'A.md'])).toBeNull();
    expect(await linkOf(['vault', 'notes.read_part', 'A.md'], { outcome: 'not_found' })).toBeNull();
  });

  it('is given only if it is http or https, whatever a custom service returns (ACT-009)', async () => {
    const [some] = readSettings({ DATA_DIR: '/nowhere' }).services;
    if (some === undefined) throw new Error('There is no service.');
    const saying = (address: string) =>
      recordLinks([{ ...some, all: [{ ...some, recordAddress: () => address }] }], {
        find: async () => ({ record: tokenRecord(some.service.key) }) as StoredConnection,
      })(
        {
          userId: 1,
          service: some.service.key,
          operation: 'x',
          recordId: '1',
          recordUrl: null,
          outcome: 'ok',
        } as StoredActivity,
        1,
      );
    expect(await saying('javascript:alert(1)')).toBeNull();
    expect(await saying('https://')).toBeNull();
    expect(await saying('https://crm.example/1')).toBe('https://crm.example/1');
  });
});
