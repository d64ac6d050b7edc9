import { filledIn, loginForm } from '#test/kit/browser.ts';
import { equal, eventually, holds, inTime, matches, Skipped, status } from '#test/kit/checks.ts';
import { type Clause, contract, inMode, portolan } from '#test/kit/clause.ts';
import { failedFor } from '#test/kit/clauses/codes.ts';
import { dealUpdated, deliver, delivery } from '#test/kit/deliveries.ts';
import { authorizePath, type Client, type Code, callback, type Kit } from '#test/kit/kit.ts';
import { form } from '#test/kit/wire.ts';

/**
 * Demands that one of the first requests past `most` is refused, of those that come from one address within a minute. `atOnce` are sent side by
 * side, where a busy machine would take longer than that to answer them in turn. What is answered 503 was not tried, and does not count.
 */
async function refusedAfter(
  most: number,
  ask: () => Promise<Readonly<{ status: number; header(name: string): string }>>,
  atOnce = 1,
): Promise<void> {
  const findRefused = async () => {
    const until = performance.now() + 55_000;
    for (let tried = 0; tried <= most && performance.now() < until; ) {
      const answers = await Promise.all(Array.from({ length: Math.min(atOnce, most + 1 - tried) }, ask));
      const found = answers.find((answer) => answer.status === 429);
      if (found !== undefined) return found;
      tried += answers.filter((answer) => answer.status !== 503).length;
    }
    return null;
  };
  const refused = await inTime(55_000, findRefused, (found) => found !== null);
  holds(refused !== null, `429 after ${most} requests at the latest`, 'none');
  matches(refused.header('retry-after'), /^\d+$/, 'Retry-After');
}

/** What existed before the one restart of a run. */
type Before = Readonly<{ client: Client; code: Code; token: string; deal: string | null }>;

const restarts = new WeakMap<Kit, Promise<Before>>();

/** Restarts the target once in a run, and returns what existed before. */
function restarted(kit: Kit): Promise<Before> {
  const known = restarts.get(kit) ?? restartOf(kit);
  restarts.set(kit, known);
  return known;
}

async function restartOf(kit: Kit): Promise<Before> {
  const [client, code, token] = [await kit.newClient(), await kit.code(), await kit.token()];
  const isDelivered = (await kit.lack('secret:sales_crm')) === null && (await kit.lack('service:vault')) === null;
  const deal = isDelivered ? await waitingDelivery(kit) : null;
  await kit.restart();
  if (isDelivered) kit.emulator('vault').unscript();
  return { client, code, token, deal };
}

/** Sends a delivery that cannot take effect yet, because the notes are unreachable; returns the deal's title. */
async function waitingDelivery(kit: Kit): Promise<string> {
  const id = Date.now() % 1_000_000_000;
  const unavailable = Array.from({ length: 5000 }, () => ({ status: 503, body: {} }));
  kit.emulator('vault').script(({ path }) => path !== '/', ...unavailable);
  const payload = dealUpdated({ id, title: `Restarted ${id}`, status: 'won', value: 1 });
  status(await deliver(kit, delivery(kit, 'sales_crm', payload)), 200);
  return `Restarted ${id}`;
}

/** Clauses that change the target's state: a restart, and exhausted rate limits. They run last. */
export const last: readonly Clause[] = [
  inMode(
    { clients: 'memory' },
    contract(
      'SET-015',
      'clients that registered are gone after a restart',
      async (kit) => {
        const { client } = await restarted(kit);
        const page = await kit.get(authorizePath(client));
        holds(page.status >= 400, 'an unknown client', page.status);
        equal(page.header('location'), '', 'the location');
      },
      ['login', 'restart'],
    ),
  ),
  inMode(
    { clients: 'memory' },
    contract(
      'CODE-010',
      'codes are gone after a restart',
      async (kit) => {
        const { code } = await restarted(kit);
        const answer = await kit.exchange({ ...code, client: await kit.newClient() });
        failedFor(answer, 'invalid_code');
      },
      ['login', 'restart'],
    ),
  ),
  inMode(
    { clients: 'kept' },
    portolan(
      'SET-021',
      'clients that registered are there after a restart',
      async (kit) => {
        const { client } = await restarted(kit);
        loginForm(await kit.get(authorizePath(client)));
      },
      ['login', 'restart'],
    ),
  ),
  contract(
    'CONN-021',
    'connections outlive a restart, and their refresh tokens with them',
    async (kit) => {
      const { token } = await restarted(kit);
      kit.emulators.cloud.sales_crm.oauth.expire();
      status(await kit.api('GET', '/api/sales_crm/deals/41', undefined, token), 200);
    },
    ['login', 'rest', 'restart', 'service:sales_crm'],
  ),
  portolan(
    'INBOX-010',
    'what was taken before a restart has its effect after it',
    async (kit) => {
      const { deal } = await restarted(kit);
      if (deal === null) throw new Skipped('no delivery could be sent before the restart');
      const { notes } = kit.emulators.vault;
      await eventually('the note', () => [...notes.values()].find((text) => text.includes(deal)), 120_000);
    },
    ['login', 'restart', 'service:vault', 'secret:sales_crm'],
  ),
  portolan(
    'REG-015',
    'more than 60 registrations a minute from one address are 429 with Retry-After',
    async (kit) => refusedAfter(60, () => kit.registerOnce({ redirect_uris: [callback] }), 20),
    ['limits'],
  ),
  portolan(
    'TOKEN-014',
    'more than 600 requests a minute to /token from one address are 429 with Retry-After',
    async (kit) => refusedAfter(600, () => kit.tokenRequest(form({ grant_type: 'none' })), 20),
    ['limits'],
  ),
  portolan(
    'AUTH-020',
    'more than 10 failed logins for one e-mail are 429 with Retry-After',
    async (kit) => {
      const browser = kit.browser();
      const page = await browser.get('/login');
      const login = { email: 'nobody-else@kit.example', password: 'wrong' };
      await refusedAfter(10, () => browser.post('/login', filledIn(page, login)), 11);
    },
    ['limits'],
  ),
];
