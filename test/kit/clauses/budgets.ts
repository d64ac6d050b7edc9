import { spending, within } from '#test/kit/budgets.ts';
import { equal, holds, Skipped, status } from '#test/kit/checks.ts';
import { type Clause, contract } from '#test/kit/clause.ts';
import { arrived } from '#test/kit/clauses/operations/rows.ts';
import { withKey } from '#test/kit/connections.ts';
import { needsOf } from '#test/kit/services.ts';

const pdf = {
  name: 'Many',
  url: 'https://files.example/many.pdf',
  recipients: [{ email: 'ada@example.com', role: 'Client' }],
};

/** The limits of endpoints of the signing service that have more than the others, in production. */
const productionLimits: readonly (readonly [string, number, string, string, unknown?])[] = [
  ['download', 100, 'GET', '/api/signing/documents/doc1/download'],
  ['from-pdf', 300, 'POST', '/api/signing/documents', pdf],
  ['details', 600, 'GET', '/api/signing/documents/doc1/details'],
];

/** Clauses on the services’ rate limits, and on what is kept of their tokens. */
export const budgets: readonly Clause[] = [
  contract(
    'LIMIT-002',
    'bursts of the sales CRM have at most the requests of a plan in 2 seconds: 120, or 20 where none is known',
    async (kit) => {
      const [points, calls] = kit.level === 'portolan' ? [20, 60] : [120, 300];
      await within(() => spending(kit, 'sales_crm', { path: '/api/sales_crm/deals/41', calls }), points, 2000);
    },
    needsOf('sales_crm'),
  ),
  contract(
    'LIMIT-007',
    'over OAuth no more than 60 requests a minute go to an endpoint of the signing service',
    async (kit) => {
      await within(() => spending(kit, 'signing', { path: '/api/signing/folders', calls: 75 }), 60, 60_000);
    },
    needsOf('signing'),
  ),
  ...productionLimits.map(([variant, points, method, path, body]) =>
    contract(
      `LIMIT-007/${variant}`,
      `over OAuth no more than ${points} requests a minute: ${variant}`,
      async (kit) => {
        const calls = Math.ceil(points * 1.2);
        await within(() => spending(kit, 'signing', { method, path, body, calls }), points, 60_000);
      },
      needsOf('signing'),
    ),
  ),
  contract(
    'CONN-013',
    'what the target keeps has no access token and no refresh token in it',
    async (kit) => {
      const { accessToken, refreshToken } = kit.emulators.cloud.sales_crm.oauth;
      const kept = await kit.kept();
      if (kept.length === 0) throw new Skipped('the target keeps nothing in CONTRACT_DATA_DIR');
      for (const token of [accessToken, refreshToken]) {
        const spellings = [
          token,
          Buffer.from(token).toString('base64').replace(/=+$/, ''),
          Buffer.from(token).toString('hex'),
        ];
        equal(
          spellings.filter((spelling) => kept.includes(spelling)),
          [],
          'the tokens in its files:',
        );
      }
    },
    [...needsOf('sales_crm'), 'restart'],
  ),
  ...(['sent', 'viewed', 'completed'] as const).map((state) =>
    contract(
      `SIGN-010/${state}`,
      `a document that is ${state} goes back to draft`,
      async (kit) => {
        const emulator = kit.emulator('signing');
        const record = { id: 'doc1', uuid: 'doc1', name: 'Agreement', status: `document.${state}` };
        emulator.script(({ method, path }) => method === 'GET' && path === '/public/v1/documents/doc1', {
          body: record,
        });
        const { value, received } = await kit.arriving('signing', () =>
          kit.api('POST', '/api/signing/documents/doc1/draft'),
        );
        emulator.unscript();
        arrived(received, 'POST /public/v1/documents/doc1/draft');
        holds(value.status < 300, 'a success', `${value.status} ${value.text}`);
      },
      needsOf('signing'),
    ),
  ),
  contract(
    'TRACK-010',
    'authorization at the tracker asks for actor=app where the connection is to act as the app, and not otherwise',
    async (kit) => {
      const browser = await kit.signedIn();
      const actor = async (query: string): Promise<string | null> => {
        const answer = await browser.get(kit.routed('GET', `/connect/tracker${query}`).path);
        status(answer, [302, 303]);
        return new URL(answer.header('location')).searchParams.get('actor');
      };
      equal(await actor('?actor_mode=app'), 'app', 'actor');
      holds((await actor('')) !== 'app', 'no actor=app', 'app');
    },
    needsOf('tracker'),
  ),
];

/** The last of these: they use up the budgets of an hour. */
export const hourlyBudgets: readonly Clause[] = [
  contract(
    'LIMIT-005',
    'over OAuth no more than 500 requests an hour go to the tracker',
    async (kit) => {
      await within(() => spending(kit, 'tracker', { path: '/api/tracker/viewer', calls: 560 }), 500, 3_600_000);
    },
    needsOf('tracker'),
  ),
  contract(
    'LIMIT-005/key',
    'with a key no more than 1,500 requests an hour go to the tracker',
    async (kit) => {
      const spend = () => spending(kit, 'tracker', { path: '/api/tracker/viewer', calls: 1_600 });
      await withKey(kit, 'tracker', () => within(spend, 1_500, 3_600_000));
    },
    needsOf('tracker'),
  ),
];
