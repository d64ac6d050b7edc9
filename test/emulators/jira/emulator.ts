import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { type Answer, bad, Site } from '#test/emulators/jira/routes.ts';
import { ann, bob, priorities } from '#test/emulators/jira/site.ts';
import { Webhooks } from '#test/emulators/jira/webhooks.ts';
import { keptConnections } from '#test/support/network/kept-connections.ts';
import { publishedInterface, scopesOf } from '#test/support/services/published-interface.ts';
import { trackerOAuth } from '#test/support/services/vendors.ts';

/** What the emulated Atlassian knows: an app, a person's API token, the site. */
export const credentials = {
  clientId: 'jira-client',
  clientSecret: 'jira-secret',
  apiToken: 'ann@example.com:ATATT3-emulated',
  site: 'acme.atlassian.net',
  cloudId: '11223344-a1b2-4b33-8c44-def123456789',
} as const;

/** A request as it came. */
export type SeenRequest = Readonly<{
  method: string;
  path: string;
  query: URLSearchParams;
  headers: IncomingMessage['headers'];
  body: string;
}>;

type Failure = { status: number; times: number; headers: Readonly<Record<string, string>>; body: unknown; on: string };

/** A site that tokens reach, as accessible-resources lists it. */
type Resource = Readonly<{ id: string; url: string; name: string; scopes: readonly string[] }>;

const accessLifeS = 3_600;

/** A running Jira with Atlassian's OAuth, and the controls of it. */
export type JiraEmulator = Awaited<ReturnType<typeof startJiraEmulator>>;

/** Starts Jira on a loopback port; `resources` are the sites that its tokens reach. */
export async function startJiraEmulator({
  port = 0,
  resources,
}: Readonly<{ port?: number; resources?: readonly Resource[] }> = {}) {
  const webhooks = new Webhooks();
  let url = '';
  const site = new Site(webhooks, () => url);
  seed(site);
  const reached = resources ?? [
    { id: credentials.cloudId, url: `https://${credentials.site}`, name: 'acme', scopes: ['read:jira-work'] },
  ];
  const grants = {
    codes: new Map<string, string>(),
    access: new Set<string>(),
    refresh: new Set<string>(),
    renewals: 0,
  };
  const failures: Failure[] = [];
  const requests: SeenRequest[] = [];

  const issue = () => {
    const [access, refresh] = [randomBytes(18).toString('base64url'), randomBytes(18).toString('base64url')];
    grants.access.add(access);
    grants.refresh.add(refresh);
    return {
      status: 200,
      body: {
        access_token: access,
        refresh_token: refresh,
        expires_in: accessLifeS,
        scope: 'read:jira-work offline_access',
        token_type: 'Bearer',
      },
    };
  };

  function token(form: URLSearchParams): Answer {
    if (form.get('client_id') !== credentials.clientId || form.get('client_secret') !== credentials.clientSecret)
      return { status: 401, body: { error: 'access_denied', error_description: 'Unauthorized' } };
    if (form.get('grant_type') === 'authorization_code') {
      const redirect = grants.codes.get(form.get('code') ?? '');
      grants.codes.delete(form.get('code') ?? '');
      return redirect === form.get('redirect_uri')
        ? issue()
        : { status: 403, body: { error: 'invalid_grant', error_description: 'Invalid authorization code' } };
    }
    const isKnown = grants.refresh.delete(form.get('refresh_token') ?? '');
    if (!isKnown)
      return { status: 403, body: { error: 'unauthorized_client', error_description: 'refresh_token is invalid' } };
    grants.renewals += 1;
    return issue();
  }

  function authorize(query: URLSearchParams): Answer {
    const redirect = query.get('redirect_uri') ?? '';
    const isRight =
      query.get('client_id') === credentials.clientId &&
      query.get('audience') === 'api.atlassian.com' &&
      query.get('prompt') === 'consent' &&
      query.get('response_type') === 'code';
    if (!isRight || !(query.get('scope') ?? '').split(' ').includes('offline_access'))
      return { status: 400, body: 'Something went wrong' };
    const code = randomBytes(12).toString('hex');
    grants.codes.set(code, redirect);
    const back = new URL(redirect);
    back.searchParams.set('code', code);
    back.searchParams.set('state', query.get('state') ?? '');
    return { status: 302, headers: { location: back.href } };
  }

  function answer(seen: SeenRequest): Answer {
    const { method, path, query, headers, body } = seen;
    const failure = failures.find(({ on }) => path.includes(on));
    if (failure !== undefined) {
      failure.times -= 1;
      if (failure.times <= 0) failures.splice(failures.indexOf(failure), 1);
      return failure;
    }
    if (path === '/authorize') return authorize(query);
    if (path === '/oauth/token') return token(new URLSearchParams(body));
    const bearer = /^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1] ?? '';
    const isApp = grants.access.has(bearer);
    const isKey = headers.authorization === `Basic ${Buffer.from(credentials.apiToken).toString('base64')}`;
    if (path === '/oauth/token/accessible-resources') return isApp ? { status: 200, body: reached } : unauthorized;
    const place = /^\/ex\/jira\/([^/]*)(\/.*)$/.exec(path);
    if (place === null ? !isKey : !isApp) return unauthorized;
    if (place !== null && !reached.some(({ id }) => id === place[1]))
      return { status: 404, body: { code: 404, message: 'No message available' } };
    return site.answer({ method, path: place?.[2] ?? path, query, isApp, body: body === '' ? {} : JSON.parse(body) });
  }

  async function serve(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const target = new URL(message.url ?? '/', 'http://localhost');
    const seen = {
      method: message.method ?? 'GET',
      path: target.pathname,
      query: target.searchParams,
      headers: message.headers,
      body: await text(message),
    };
    requests.push(seen);
    const { status, headers = {}, body } = answer(seen);
    response.writeHead(status, { 'content-type': 'application/json;charset=UTF-8', ...headers });
    response.end(body === undefined ? '' : JSON.stringify(body));
  }

  const server = createServer(keptConnections, (message, response) => {
    serve(message, response).catch((error: unknown) =>
      response.writeHead(500).end(JSON.stringify(bad(500, String(error)).body)),
    );
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const address = server.address();
  const own = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : port}`;
  const published = await publishedInterface('jira', own, {
    scopes: scopesOf(trackerOAuth('jira', {})),
    pathOf: (path) => /\/rest\/.*/.exec(path)?.[0] ?? null,
  });
  ({ url } = published);
  return {
    url,
    authorizeUrl: `${url}/authorize`,
    tokenUrl: `${url}/oauth/token`,
    site,
    webhooks,
    requests,
    grants,
    /** Tokens, as after a grant. */
    grant: () => issue().body,
    /** The next requests whose path contains `on` get this in place of their answer. */
    failNext: ({
      status,
      times = 1,
      headers = {},
      body = {},
      on = '/rest/',
    }: Readonly<{
      status: number;
      times?: number;
      headers?: Readonly<Record<string, string>>;
      body?: unknown;
      on?: string;
    }>) => failures.push({ status, times, headers, body, on }),
    /** Every access token is over from now on; the refresh tokens still renew. */
    expireTokens: () => grants.access.clear(),
    revoke: () => {
      grants.access.clear();
      grants.refresh.clear();
    },
    close: async () => {
      await webhooks.settled();
      await published.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const unauthorized: Answer = { status: 401, body: { code: 401, message: 'Unauthorized' } };

/** What every site comes with: an epic, an issue in progress with a comment, and one of another team. */
function seed(site: Site): void {
  const paragraph = (words: string) => ({
    type: 'doc',
    version: 1,
    content: [{ type: 'paragraph', content: [{ type: 'text', text: words }] }],
  });
  const epic = site.add(
    'ENG',
    '10100',
    { summary: 'Website', assignee: ann, duedate: '2026-12-31', description: paragraph('All of it') },
    '3',
  );
  const issue = site.add(
    'ENG',
    '10101',
    {
      summary: 'Fix login',
      assignee: ann,
      priority: priorities[1],
      labels: ['Bug'],
      parent: epic.id,
      customfield_10020: 2,
      customfield_10026: 3,
      description: paragraph('Steps to see it'),
    },
    '3',
  );
  issue.comments.push({
    id: '9001',
    author: bob,
    body: paragraph('Seen it too'),
    created: '2026-11-20T10:00:00.000+0000',
    updated: '2026-11-20T10:00:00.000+0000',
  });
  site.add('OPS', '10102', { summary: 'Renew certificate' });
}
