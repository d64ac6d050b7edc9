import { decided } from '#test/kit/browser.ts';
import { equal, holds, lacks, member, status } from '#test/kit/checks.ts';
import { type Clause, portolan, type ServiceKey } from '#test/kit/clause.ts';
import { callsIn } from '#test/kit/emulators/emulator.ts';
import { cloudKeys } from '#test/kit/emulators/emulators.ts';
import { authorizePath, type Kit, locationOf } from '#test/kit/kit.ts';
import { McpClient } from '#test/kit/mcp.ts';
import { needsOf } from '#test/kit/services.ts';

/** An access token for some services only, and read-only if requested. */
async function narrowed(kit: Kit, services: readonly ServiceKey[], access: 'read' | 'change'): Promise<string> {
  const browser = await kit.signedIn();
  const client = await kit.client();
  const level = access === 'read' ? 'read' : 'full';
  const fields = decided(await browser.get(authorizePath(client)), 'allow').map(([name, value]) => {
    const isOf = name.startsWith('access_');
    return [name, isOf ? (services.some((service) => name === `access_${service}`) ? level : 'off') : value] as const;
  });
  const code = locationOf(await browser.post('/authorize', fields)).searchParams.get('code') ?? '';
  return kit.exchanged({ code, client, verifier: null });
}

/** Clauses on users and tokens with limited rights. */
export const rights: readonly Clause[] = [
  portolan(
    'MCP-014',
    'a token limited on the consent page sees and calls only what it was given',
    async (kit) => {
      const client = await McpClient.open(kit.baseUrl, await narrowed(kit, ['vault'], 'read'));
      const names = await client.names();
      equal(
        names.filter((name) => !/^(vault|workspace)_/.test(name)),
        [],
        'the tools of other services',
      );
      holds(!names.includes('vault_note_write'), 'no tool that writes', names);
      const { value, received } = await kit.arriving('tracker', () => client.call('tracker_viewer', {}));
      equal(value.isError, true, 'an error:');
      equal(callsIn(received), [], 'the calls:');
    },
    ['login', 'service:tracker', 'service:vault'],
  ),
  portolan(
    'AUTH-018/services',
    'a token given fewer services is held to them on REST',
    async (kit) => {
      const token = await narrowed(kit, ['vault'], 'change');
      const { value, received } = await kit.arriving('tracker', () =>
        kit.api('GET', '/api/tracker/viewer', undefined, token),
      );
      status(value, 403);
      equal(callsIn(received), [], 'the calls:');
    },
    ['login', 'rest', 'service:tracker'],
  ),
  portolan(
    'AUTH-018/read',
    'a token given reading only is held to it on REST and MCP',
    async (kit) => {
      const token = await narrowed(kit, ['sales_crm', 'vault'], 'read');
      const body = { title: 'x' };
      const { value, received } = await kit.arriving('sales_crm', () =>
        kit.api('POST', '/api/sales_crm/deals', body, token),
      );
      status(value, 403);
      status(await kit.api('GET', '/api/sales_crm/deals/41', undefined, token), 200);
      const client = await McpClient.open(kit.baseUrl, token);
      equal((await client.call('sales_crm_deal_create', body)).isError, true, 'an error:');
      equal(callsIn(received), [], 'the calls:');
    },
    ['login', 'rest', 'service:sales_crm'],
  ),
  portolan(
    'AUTH-028',
    'a token given less than everything opens no page of the account and changes no connection',
    async (kit) => {
      const token = await narrowed(kit, ['vault'], 'change');
      for (const [method, path] of [
        ['GET', '/page'],
        ['POST', '/save'],
        ['POST', '/disconnect'],
      ] as const) {
        const answer = await kit.api(method, path, method === 'GET' ? undefined : { service: 'signing' }, token);
        status(answer, 403);
      }
    },
    ['login'],
  ),
  portolan(
    'USER-003',
    'an operation of a service that the user lacks is refused as forbidden, and its tool runs nothing',
    async (kit) => {
      const line = (await kit.send({ path: '/set' })).setCookies.find((cookie) => cookie.startsWith('user=')) ?? '';
      const guest = line.slice('user='.length).split(';')[0] ?? '';
      const client = await McpClient.open(kit.baseUrl, guest);
      for (const [service, path, tool] of [
        ['tracker', '/api/tracker/viewer', 'tracker_viewer'],
        ['sales_crm', '/api/sales_crm/deals', 'sales_crm_deals_list'],
      ] as const) {
        const { value, received } = await kit.arriving(service, async () => {
          equal((await client.call(tool, {})).isError, true, 'an error:');
          return kit.api('GET', path, undefined, guest);
        });
        equal(member(value.json, 'reason'), 'forbidden', 'reason');
        equal(callsIn(received), [], 'the calls:');
      }
    },
    ['login', 'service:tracker', 'service:sales_crm'],
  ),
  portolan(
    'USER-005',
    'another user, the guest, sees no connection of mine',
    async (kit) => {
      const line = (await kit.send({ path: '/set' })).setCookies.find((cookie) => cookie.startsWith('user=')) ?? '';
      const guest = line.slice('user='.length).split(';')[0] ?? '';
      const answer = await kit.api('GET', '/api/connections', undefined, guest);
      lacks(answer.text, '"connected"', 'the connections of the guest');
    },
    needsOf('sales_crm'),
  ),
  portolan(
    'USER-002',
    'the permission keys are the five service keys',
    async (kit) => {
      const { text } = await kit.api('GET', '/openapi.json');
      const served = new Set([...text.matchAll(/"\/api\/([a-z_]+)\//g)].map(([, key]) => key));
      for (const key of [...cloudKeys, 'vault']) holds(served.has(key), `operations of ${key}`, [...served]);
    },
    ['login', 'rest'],
  ),
];
