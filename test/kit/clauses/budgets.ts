import { equal, eventually, holds, Skipped, status } from '#test/kit/checks.ts';
import { type Clause, contract } from '#test/kit/clause.ts';
import { arrived } from '#test/kit/clauses/operations/rows.ts';
import type { Received } from '#test/kit/emulators/emulator.ts';
import type { CloudKey } from '#test/kit/emulators/emulators.ts';
import type { Kit } from '#test/kit/kit.ts';
import { needsOf } from '#test/kit/services.ts';

/** How long nothing must arrive until a budget counts as used up, in ms. */
const quietMs = 2500;

/**
 * What arrives at a service while so many calls are made, some at once, until nothing does for a while. Calls that wait for their budget
 * then are left alone.
 */
async function arrivingOf(kit: Kit, service: CloudKey, path: string, most: number): Promise<readonly Received[]> {
  const { received } = kit.emulator(service);
  const before = received.length;
  let left = most;
  const work = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      await kit.api('GET', path);
    }
  };
  const calls = Promise.allSettled(Array.from({ length: 25 }, work)).then(() => true);
  await eventually(
    'an end of the calls',
    async () => {
      const count = received.length;
      const pause = new Promise<boolean>((resolve) => setTimeout(() => resolve(false), quietMs));
      return (await Promise.race([calls, pause])) || received.length === count ? true : null;
    },
    120_000,
  );
  left = 0;
  return received.slice(before).filter((request) => !request.path.startsWith('/oauth/'));
}

/** Demands that no more arrived than a budget has, with what is given back meanwhile. */
function within(received: readonly Received[], points: number, windowMs: number): void {
  holds(received.length >= 10, 'requests', received.length);
  const spentMs = (received.at(-1)?.at ?? 0) - (received[0]?.at ?? 0);
  const allowed = points + Math.ceil((spentMs / windowMs) * points) + 1;
  holds(received.length <= allowed, `at most ${allowed} requests`, `${received.length} in ${Math.round(spentMs)} ms`);
}

/** Clauses on the services’ rate limits, and on what is kept of their tokens. */
export const budgets: readonly Clause[] = [
  contract(
    'LIMIT-002',
    'bursts of the sales CRM have at most the requests of a plan in 2 seconds: 120, or 20 where none is known',
    async (kit) => {
      const [points, calls] = kit.level === 'portolan' ? [20, 60] : [120, 300];
      within(await arrivingOf(kit, 'sales_crm', '/api/sales_crm/deals/41', calls), points, 2000);
    },
    needsOf('sales_crm'),
  ),
  contract(
    'LIMIT-007',
    'over OAuth no more than 60 requests a minute go to an endpoint of the signing service',
    async (kit) => {
      within(await arrivingOf(kit, 'signing', '/api/signing/folders', 75), 60, 60_000);
    },
    needsOf('signing'),
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

/** The last of these: it uses up the budget of an hour. */
export const hourlyBudget: Clause = contract(
  'LIMIT-005',
  'over OAuth no more than 500 requests an hour go to the tracker',
  async (kit) => {
    within(await arrivingOf(kit, 'tracker', '/api/tracker/viewer', 560), 500, 3_600_000);
  },
  needsOf('tracker'),
);
