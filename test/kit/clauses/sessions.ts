import { filledIn } from '#test/kit/browser.ts';
import { contains, equal, holds, inTime, lacks, matches, member, status } from '#test/kit/checks.ts';
import { type Clause, contract, portolan } from '#test/kit/clause.ts';
import { fieldsOf, formsOf, linksOf, titleOf, wordsOf } from '#test/kit/forms.ts';
import { authorizePath, type Kit } from '#test/kit/kit.ts';
import { McpClient } from '#test/kit/mcp.ts';
import type { Answer } from '#test/kit/wire.ts';

const home = '/floki/index';
const asPage = { accept: 'text/html' };
const days30 = 30 * 24 * 3600;

/** The `Set-Cookie` line of the session. */
function sessionLine(answer: Answer): string {
  const line = answer.setCookies.find((cookie) => cookie.startsWith('user='));
  holds(line !== undefined, `${answer.asked} to set the cookie user`, answer.setCookies);
  return line;
}

const cookieText = (line: string): string => line.slice('user='.length).split(';')[0] ?? '';

const withCookie = (kit: Kit, value: string, more: Readonly<Record<string, string>> = {}): Promise<Answer> =>
  kit.send({ path: home, headers: { ...asPage, cookie: `user=${value}`, ...more } });

const withBearer = (kit: Kit, token: string, more: Readonly<Record<string, string>> = {}): Promise<Answer> =>
  kit.send({ path: home, headers: { ...asPage, authorization: `Bearer ${token}`, ...more } });

/** A value with one of its letters changed to another of its alphabet. */
function changedAt(value: string, at: number): string {
  const letter = value[at] === 'A' ? 'B' : 'A';
  return `${value.slice(0, at)}${letter}${value.slice(at + 1)}`;
}

async function cookieValue(kit: Kit): Promise<string> {
  return (await kit.signedIn()).cookies.get('user') ?? '';
}

/** Positions spread over a value, without its end: the last character of base64url may have unused bits. */
const places = (value: string): readonly number[] =>
  [0.05, 0.3, 0.55, 0.8, 0.95].map((part) => Math.floor(value.length * part)).filter((at) => value[at] !== '.');

/** Clauses on cookies and bearer tokens, valid and invalid. */
export const sessions: readonly Clause[] = [
  ...(
    [
      ['HttpOnly', /;\s*HttpOnly/i],
      ['SameSite=Lax', /;\s*SameSite=Lax/i],
      ['Secure', /;\s*Secure/i],
      ['30 days', /;\s*Max-Age=2592000\b/i],
    ] as const
  ).map(([flag, pattern]) =>
    contract(`SESS-001/${flag.replace(' ', '-')}`, `the cookie user is ${flag}`, async (kit) => {
      matches(sessionLine(await kit.send({ path: '/set' })), pattern, 'the cookie');
    }),
  ),
  contract(
    'SESS-002',
    'the value of the cookie is a bearer token too, and shows no user id',
    async (kit) => {
      const value = await cookieValue(kit);
      holds(value.length >= 32, 'an encrypted value', `${value.length} characters`);
      status(await withBearer(kit, value), 200);
      status(await withCookie(kit, await kit.token()), 200);
    },
    ['login'],
  ),
  contract(
    'SESS-003/cookie',
    'a cookie that was changed in any place is refused',
    async (kit) => {
      const value = await cookieValue(kit);
      for (const at of places(value))
        status(await withCookie(kit, changedAt(value, at)), 401, `the cookie changed at ${at}`);
      status(await withCookie(kit, value), 200);
    },
    ['login'],
  ),
  contract(
    'SESS-003/token',
    'a token that was changed in any place is refused',
    async (kit) => {
      const token = await kit.token();
      for (const at of places(token))
        status(await withBearer(kit, changedAt(token, at)), 401, `the token changed at ${at}`);
    },
    ['login'],
  ),
  contract(
    'SESS-003/cut',
    'a token that was cut or lengthened is refused',
    async (kit) => {
      const token = await kit.token();
      for (const other of [token.slice(0, -4), `${token}AAAA`, token.slice(0, 20), '1'])
        status(await withBearer(kit, other), 401);
    },
    ['login'],
  ),
  contract(
    'SESS-004',
    'a value older than 30 days is refused',
    async (kit) => {
      const early = await inTime(
        59_000,
        async () => {
          const since = Date.now();
          const token = await kit.exchanged(await kit.code());
          return kit.later(days30 - 60, () => withBearer(kit, token), since);
        },
        (answer) => answer.status === 200,
      );
      status(early, 200, 'a token one minute before its end');
      const token = await kit.exchanged(await kit.code());
      status(await kit.later(days30 + 60, () => withBearer(kit, token)), 401, 'a token one minute after its end');
    },
    ['login', 'clock'],
  ),
  portolan(
    'SESS-005',
    'a bad bearer token is 401 even with a good cookie',
    async (kit) => {
      status(await withCookie(kit, await cookieValue(kit), { authorization: 'Bearer nonsense' }), 401);
    },
    ['login'],
  ),
  contract(
    'SESS-007',
    'without a session a page is 401, titled Authentication Required, with a link to log in',
    async (kit) => {
      const page = await kit.get(home);
      status(page, 401);
      matches(page.header('content-type'), /^text\/html\b/, 'the content type');
      contains(titleOf(page.text), 'Authentication Required', 'the title');
      holds(
        linksOf(page.text).length > 0 && /log\s?in|sign in/i.test(wordsOf(page.text)),
        'a link to log in',
        page.text,
      );
    },
  ),
  contract(
    'SESS-008',
    'with a bad cookie a page is 401 with the text “Invalid session. Please log in again.”',
    async (kit) => {
      const page = await withCookie(kit, 'nonsense');
      status(page, 401);
      matches(page.header('content-type'), /^text\/html\b/, 'the content type');
      contains(wordsOf(page.text), 'Invalid session. Please log in again.', 'the page');
    },
  ),
  contract('SESS-007/any', 'without a session it is 401 whatever the request accepts', async (kit) => {
    for (const accept of ['application/json', 'text/event-stream', '*/*'])
      status(await kit.send({ path: home, headers: { accept } }), 401, `GET ${home} for ${accept}`);
  }),
  portolan('SESS-009', 'a program gets 401 as JSON with WWW-Authenticate: Bearer', async (kit) => {
    for (const accept of ['application/json', 'text/event-stream']) {
      const answer = await kit.send({ path: home, headers: { accept } });
      status(answer, 401);
      matches(answer.header('content-type'), /^application\/json\b/, 'the content type');
      matches(answer.header('www-authenticate'), /^Bearer\b/, 'WWW-Authenticate');
      holds(typeof member(answer.json, 'error') === 'string', 'a member error', answer.json);
    }
  }),
  contract('SESS-010', 'authorization is settled before a body is looked at for meaning', async (kit) => {
    const headers = { 'content-type': 'application/json' };
    const bodies = ['{"jsonrpc":"2.0","id":1,"method":"no/such"}', '{"jsonrpc":"1.0"}', '[]'];
    for (const body of bodies) status(await kit.send({ method: 'POST', path: '/message', headers, body }), 401);
  }),
  contract('SESS-011', 'GET /set answers 200 with a short text and the cookie', async (kit) => {
    const answer = await kit.send({ path: '/set' });
    status(answer, 200);
    sessionLine(answer);
    const words = wordsOf(answer.text);
    holds(words.length > 0 && words.length < 500, 'a short text', words);
  }),
  contract('SESS-011/plain', 'the text that GET /set answers is plain', async (kit) => {
    matches((await kit.send({ path: '/set' })).header('content-type'), /^text\/plain\b/, 'the content type');
  }),
  portolan('SESS-012/tools', 'the guest sees no tools', async (kit) => {
    const value = cookieText(sessionLine(await kit.send({ path: '/set' })));
    const guest = await McpClient.open(kit.baseUrl, value);
    equal(await guest.tools(), [], 'the tools of the guest');
  }),
  portolan('SESS-012/rest', 'the guest may call no operation', async (kit) => {
    const value = cookieText(sessionLine(await kit.send({ path: '/set' })));
    const answer = await kit.api('GET', '/api/sales_crm/deals', undefined, value);
    status(answer, 403);
    equal(member(answer.json, 'reason'), 'forbidden', 'reason');
  }),
  portolan('SESS-012/save', 'the guest may connect nothing', async (kit) => {
    const value = cookieText(sessionLine(await kit.send({ path: '/set' })));
    const body = { service: 'sales_crm', auth_method: 'personal_token', access_token: 'x' };
    status(await kit.api('POST', '/save', body, value), 403);
  }),
  portolan(
    'SESS-013',
    'a token has one spelling',
    async (kit) => {
      const token = await kit.token();
      for (const other of [
        `${token}=`,
        `${token}.`,
        token.replaceAll('.', '..'),
        encodeURIComponent(token).replace(/^e/, '%65'),
      ]) {
        if (other !== token) status(await withBearer(kit, other), 401);
      }
    },
    ['login'],
  ),
  portolan(
    'SESS-014',
    '/set gives no fresh cookie to a request that brings a bearer token',
    async (kit) => {
      const answer = await kit.send({ path: '/set', headers: { authorization: `Bearer ${await kit.token()}` } });
      status(answer, 200);
      equal(
        answer.setCookies.filter((line) => line.startsWith('user=')),
        [],
        'the cookies of a session',
      );
    },
    ['login'],
  ),
  portolan(
    'SESS-016',
    '/set gives a fresh cookie of the same user to whoever brings a valid one',
    async (kit) => {
      const before = await cookieValue(kit);
      const line = sessionLine(await kit.send({ path: '/set', headers: { cookie: `user=${before}` } }));
      holds(cookieText(line) !== before, 'another value', line);
      contains((await withCookie(kit, cookieText(line))).text, kit.login.email, 'the home page');
    },
    ['login'],
  ),
  portolan(
    'SESS-017/cookies',
    'two different cookies called user are refused',
    async (kit) => {
      const value = await cookieValue(kit);
      status(await kit.send({ path: home, headers: { ...asPage, cookie: `user=${value}; user=other` } }), [400, 401]);
    },
    ['login'],
  ),
  portolan(
    'SESS-017/headers',
    'two Authorization headers are refused',
    async (kit) => {
      const good = `Bearer ${await kit.token()}`;
      status(await kit.send({ path: home, headers: { ...asPage, authorization: [good, 'Bearer other'] } }), [400, 401]);
    },
    ['login'],
  ),
  portolan(
    'SESS-019',
    '/set gives the guest’s cookie to whoever brings none, and to whoever brings a bad one',
    async (kit) => {
      for (const headers of [{}, { cookie: 'user=nonsense' }]) {
        const value = cookieText(sessionLine(await kit.send({ path: '/set', headers })));
        const answer = await withCookie(kit, value);
        status(answer, 200);
        if (kit.config.login !== undefined) lacks(answer.text, kit.login.email, 'the home page of the guest');
      }
    },
  ),
  portolan(
    'SESS-020',
    'an app’s token opens no page where a person decides, as a bearer token or as a cookie',
    async (kit) => {
      const token = await kit.token();
      for (const path of ['/account', '/apps', '/api/apps', '/users', '/api/users', '/deliveries']) {
        status(await kit.api('GET', path, undefined, token), 403);
        const answer = await kit.send({ path, headers: { ...asPage, cookie: `user=${token}` } });
        holds(answer.header('location').endsWith('/login'), 'a redirect to the login page', answer.status);
      }
      const client = authorizePath(await kit.client());
      contains((await kit.get(client, { ...asPage, cookie: `user=${token}` })).text, 'password', 'the page');
    },
    ['login'],
  ),
  portolan(
    'SESS-021',
    '/set gives an app’s token back as the same app’s cookie',
    async (kit) => {
      const line = sessionLine(await kit.send({ path: '/set', headers: { cookie: `user=${await kit.token()}` } }));
      const headers = { accept: 'application/json', cookie: `user=${cookieText(line)}` };
      status(await kit.send({ path: '/api/connections', headers }), 200);
      status(await kit.send({ path: '/api/apps', headers }), 403);
    },
    ['login'],
  ),
  portolan(
    'SESS-025',
    'signing out ends the session in a copy of its cookie too',
    async (kit) => {
      const browser = kit.browser();
      await browser.post('/login', filledIn(await browser.get('/login'), kit.login));
      const copy = browser.copy();
      status(await copy.get(home), 200);
      const form = formsOf((await browser.get('/logout')).text)[0];
      holds(form !== undefined, 'a form on /logout', null);
      await browser.post('/logout', fieldsOf(form));
      status(await copy.get(home), 401);
    },
    ['login'],
  ),
];
