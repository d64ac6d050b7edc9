import {
  answers,
  type Fault,
  type Inbound,
  isFor,
  type Outgoing,
  requests,
  withBody,
  withHeader,
  withJson,
} from '#test/kit/self-test/fault.ts';

const isAuthorize = isFor('/authorize');
const isHome = isFor('/floki/index');
const isPage = ({ headers }: Outgoing): boolean => String(headers['content-type']).startsWith('text/html');

/** A page whose text is another. */
const reads = (
  name: string,
  seenBy: readonly string[],
  fits: (request: Inbound) => boolean,
  from: RegExp,
  to: string,
): Fault =>
  answers(
    name,
    seenBy,
    (request, answer) => fits(request) && isPage(answer),
    (answer) => withBody(answer, answer.body.toString().replaceAll(from, to)),
  );

/** A redirect to the client with something else in it. */
const leads = (name: string, seenBy: readonly string[], change: (location: URL) => void): Fault =>
  answers(
    name,
    seenBy,
    (request, { status }) => isAuthorize(request) && status === 302,
    (answer) => {
      const location = new URL(String(answer.headers['location']));
      change(location);
      return withHeader(answer, 'location', location.href);
    },
  );

const cookieWithout = (name: string, clause: string, part: RegExp): Fault =>
  answers(name, [clause], isFor('/set'), (answer) => {
    const lines = [answer.headers['set-cookie'] ?? []].flat().map((line) => line.replace(part, ''));
    return withHeader(answer, 'set-cookie', lines);
  });

const opens = (name: string, seenBy: readonly string[], fits: (request: Inbound) => boolean): Fault =>
  answers(
    name,
    seenBy,
    (request, { status }) => fits(request) && status === 401,
    (answer) => withBody(answer, 'Welcome', 200),
  );

/** The CSRF token of the last consent page is put into every form: as if none were looked for. */
const forged: Fault = {
  name: 'forms need no CSRF token',
  seenBy: ['AUTH-016/consent'],
  inbound: () => {
    let last = '';
    return async (request, pass) => {
      const fields = new URLSearchParams(request.body.toString());
      const isConsent = isAuthorize(request) && request.method === 'POST' && fields.has('decision');
      if (isConsent && last !== '') fields.set('csrf_token', last);
      const answer = await pass(isConsent ? { ...request, body: Buffer.from(fields.toString()) } : request);
      const page = answer.body.toString();
      const token = /Allow Access/.test(page) ? /name="csrf_token" value="([^"]*)"/.exec(page)?.[1] : undefined;
      last = token ?? last;
      return answer;
    };
  },
};

/** Faults of pages, sessions and the edge. */
export const pageFaults: readonly Fault[] = [
  forged,
  leads('state does not come back', ['AUTH-006'], ({ searchParams }) => searchParams.delete('state')),
  leads('the code goes to another host', ['AUTH-006'], (location) => {
    location.hostname = 'evil.example';
  }),
  leads('denying gives a code', ['AUTH-007'], ({ searchParams }) => {
    searchParams.delete('error');
    searchParams.set('code', 'code_x');
  }),
  answers(
    'an unregistered redirect URI is redirected to',
    ['AUTH-009/host'],
    (request, { status }) => isAuthorize(request) && status === 400,
    (answer, { path }) => ({
      ...withHeader(answer, 'location', new URLSearchParams(path.split('?')[1]).get('redirect_uri') ?? ''),
      status: 302,
    }),
  ),
  answers('/login redirects to where the request says', ['EDGE-009'], isFor('/login', 'GET'), (answer, { path }) => {
    const to = new URLSearchParams(path.split('?')[1]).get('return_to');
    return to === null ? answer : { ...withHeader(answer, 'location', to), status: 302 };
  }),
  reads(
    'the challenge is lost on the consent page',
    ['AUTH-003/consent'],
    isAuthorize,
    /name="code_challenge"/g,
    'name="other"',
  ),
  reads('the client’s name is not escaped', ['AUTH-021'], isAuthorize, /&lt;img/g, '<img'),
  reads('there is no button to deny', ['AUTH-002'], isAuthorize, />Deny</g, '>Back<'),
  reads('the login page does not say who asks', ['AUTH-001'], isAuthorize, /Kit with a name of its own/g, 'An app'),
  {
    name: 'a failed login says that the e-mail is not known',
    seenBy: ['AUTH-005'],
    inbound: () => async (request, pass) => {
      const answer = await pass(request);
      const isUnknown = request.body.toString().includes('nobody%40kit.example');
      return isUnknown ? withBody(answer, answer.body.toString().replace('</form>', '</form>No such e-mail')) : answer;
    },
  },
  answers('pages may be framed', ['AUTH-017/login', 'AUTH-017/consent'], isAuthorize, (answer) =>
    withHeader(answer, 'content-security-policy', "default-src 'none'"),
  ),
  cookieWithout('the cookie can be read by scripts', 'SESS-001/HttpOnly', /;\s*HttpOnly/i),
  cookieWithout('the cookie goes over plain HTTP', 'SESS-001/Secure', /;\s*Secure/i),
  cookieWithout('the cookie goes with requests of other sites', 'SESS-001/SameSite=Lax', /;\s*SameSite=Lax/i),
  cookieWithout('the cookie ends with the browser', 'SESS-001/30-days', /;\s*Max-Age=\d+/i),
  opens('a page is open to everybody', ['PUB-002/floki/index'], isHome),
  opens(
    'changed tokens are taken',
    ['SESS-003/token', 'SESS-003/cut'],
    ({ headers }) => headers['authorization'] !== undefined,
  ),
  opens('old tokens are taken', ['SESS-004'], ({ headers }) => headers['authorization'] !== undefined),
  opens('messages need no session', ['MCP-001/session', 'SESS-010'], isFor('/message')),
  reads('the page without a session has another title', ['SESS-007'], isHome, /Authentication Required/g, 'Hello'),
  reads('the words for a bad session are others', ['SESS-008'], isHome, /Invalid session\./g, 'Session over.'),
  answers('a program gets a page', ['SESS-009'], isHome, (answer) => withHeader(answer, 'content-type', 'text/html')),
  answers('the discovery route answers', ['META-005'], isFor('/.well-known/oauth-authorization-server'), (answer) =>
    withJson(answer, { issuer: 'x' }, 200),
  ),
  answers('/healthz says otherwise', ['PUB-004'], isFor('/healthz'), (answer) => withJson(answer, { ok: true })),
  requests(
    'any Host is served',
    ['EDGE-001'],
    () => true,
    (request, { kit }) => ({ ...request, headers: { ...request.headers, host: new URL(kit.baseUrl).host } }),
  ),
  requests(
    'any Origin is served',
    ['EDGE-002'],
    () => true,
    (request) => {
      const { origin: _, ...headers } = request.headers;
      return { ...request, headers };
    },
  ),
  answers(
    'browsers may guess content types',
    ['EDGE-006'],
    () => true,
    (answer) => withHeader(answer, 'x-content-type-options', null),
  ),
  answers(
    'inline scripts may run',
    ['EDGE-006'],
    () => true,
    (answer) => withHeader(answer, 'content-security-policy', "script-src 'unsafe-inline'"),
  ),
];
