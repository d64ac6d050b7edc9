import { sendFailure } from '#adapters/http/answers/problem.ts';
import { refuse } from '#adapters/http/answers/refuse.ts';
import { showPage } from '#adapters/http/answers/show-page.ts';
import { userOf } from '#adapters/http/middleware/authentication.ts';
import { genuine, hiddenFor, seeOther } from '#adapters/http/people/person-forms.ts';
import { checkedValue } from '#adapters/http/requests/checked-input.ts';
import { fieldOf, formFields } from '#adapters/http/requests/form-fields.ts';
import type { FormGuard } from '#adapters/http/requests/form-guard.ts';
import { parameterOf, type Route, type RouteContext } from '#adapters/http/route.ts';
import type { SetupNotice } from '#adapters/http/setup/provider-settings-routes.ts';
import { ServerActions, type ServerActionsDependencies, unknownServer } from '#adapters/http/setup/server-actions.ts';
import { clientSchema, decisionsSchema, newServerSchema } from '#adapters/http/setup/server-json.ts';
import { serverJsonRoutes } from '#adapters/http/setup/server-json-routes.ts';
import {
  type KnownServer,
  maxPeople,
  peopleOf,
  restartText,
  serverLine,
  toolRows,
  toolsPerPage,
} from '#adapters/http/setup/server-pages.ts';
import { type SignInAgainDependencies, signInAgain } from '#adapters/http/setup/sign-in-again.ts';
import type { Differences } from '#application/ports/differences.ts';
import type { RecentSignIn } from '#application/session/recent-sign-in.ts';
import { forPeople } from '#domain/operations/input-error.ts';
import type { Failure } from '#domain/operations/outcome.ts';
import type { Result } from '#domain/shared/result.ts';

/** The dependencies of the routes. */
export type ServerRoutesDependencies = Omit<ServerActionsDependencies, 'recent'> &
  SignInAgainDependencies &
  Readonly<{
    differences: Differences;
    recent: Pick<RecentSignIn, 'isRecent' | 'again'>;
    formGuard: FormGuard;
    baseUrl: string;
    /** The metadata document of this server as a client at a service's server; null where there is none. */
    documentOf: (service: string) => Readonly<Record<string, unknown>> | null;
  }>;

const purpose = 'servers';
const statuses: Readonly<Partial<Record<Failure['reason'], number>>> = {
  forbidden: 403,
  conflict: 409,
  not_found: 404,
};
const doneTexts: Readonly<Record<string, string>> = {
  added: 'Saved. You may use it; others need the permission, which you give on Users after the restart.',
  removed: 'Removed, with all connections to it and everybody’s permission for it. None of its tools is used any more.',
  looked: 'These are its tools now.',
  saved: 'Saved. It is used from now on, by every server.',
};

/** Serves the page /setup/servers and one below it for each remote MCP server, and the same as JSON (REMOTE-040 to -049). */
export function serverRoutes(dependencies: ServerRoutesDependencies): readonly Route[] {
  const { servers, pins, rights, differences, recent, formGuard, ways, baseUrl, documentOf } = dependencies;
  const actions = new ServerActions(dependencies);
  const framed = async (ctx: RouteContext, notice: SetupNotice | null) => ({
    hidden: hiddenFor(ctx, formGuard, purpose),
    isRecent: await recent.isRecent(userOf(ctx)),
    ways,
    notice: notice ?? doneNotice(ctx),
  });
  const showAll = async (ctx: RouteContext, notice: SetupNotice | null = null): Promise<void> => {
    const all = await servers();
    const lines = await Promise.all(all.map(async (one) => serverLine(one, await pins.find(one.key))));
    const restarts = all.map(restartText).filter((text) => text !== null);
    const filled = notice === null ? new URLSearchParams() : formFields(ctx);
    const given = Object.fromEntries(
      ['key', 'title', 'url', 'connection'].map((name) => [name, fieldOf(filled, name)]),
    );
    showPage(
      ctx,
      'setup-servers',
      { ...(await framed(ctx, notice)), lines, restarts, given },
      { status: notice?.status ?? 200 },
    );
  };
  const showOne = async (ctx: RouteContext, server: KnownServer, notice: SetupNotice | null = null): Promise<void> => {
    const list = await pins.find(server.key);
    const { timeZone = null } = userOf(ctx);
    const page = Number(ctx.query['page'] ?? fieldOf(formFields(ctx), 'page')) || 1;
    const values = {
      ...(await framed(ctx, notice)),
      ...serverLine(server, list),
      isAdded: server.added !== null && !server.isRemoved,
      isRunning: server.isRunning,
      restarts: [restartText(server)].filter((text) => text !== null),
      people: peopleOf(await rights.first(server.key, maxPeople + 1)),
      hasOAuth: server.connection === 'oauth',
      needsConnection: server.connection !== 'none',
      callback: `${baseUrl}/connect/${server.key}/callback`,
      tools: toolRows(list, { page, differences, timeZone }),
    };
    showPage(ctx, 'setup-server', values, { status: notice?.status ?? 200 });
  };
  const withServer = (run: (ctx: RouteContext, server: KnownServer) => Promise<void>) => async (ctx: RouteContext) => {
    const server = await actions.find(parameterOf(ctx, 'service'));
    if (server !== null) return run(ctx, server);
    refuse(ctx, { status: 404, error: 'not_found', description: unknownServer.message });
  };
  const answered = async (
    ctx: RouteContext,
    server: KnownServer,
    { done, what }: Readonly<{ done: Result<void, Failure>; what: string }>,
  ): Promise<void> => {
    if (!done.ok) return showOne(ctx, server, noticeOf(done.failure));
    seeOther(ctx, `/setup/servers/${server.key}?done=${what}${pageIn(ctx)}`);
  };

  const add = async (ctx: RouteContext): Promise<void> => {
    const fields = formFields(ctx);
    const given = checkedValue(newServerSchema, {
      key: fieldOf(fields, 'key'),
      title: fieldOf(fields, 'title'),
      url: fieldOf(fields, 'url'),
      connection: fieldOf(fields, 'connection'),
    });
    const added = given.ok ? await actions.add(userOf(ctx), given.value) : given;
    if (!added.ok) return showAll(ctx, noticeOf(added.failure));
    seeOther(ctx, '/setup/servers?done=added');
  };
  const remove = async (ctx: RouteContext, server: KnownServer): Promise<void> => {
    const removed = await actions.remove(userOf(ctx), server.key);
    if (!removed.ok) return showOne(ctx, server, noticeOf(removed.failure));
    seeOther(ctx, '/setup/servers?done=removed');
  };
  const enterClient = async (ctx: RouteContext, server: KnownServer): Promise<void> => {
    const fields = formFields(ctx);
    const secret = fieldOf(fields, 'client_secret');
    const filled = { client_id: fieldOf(fields, 'client_id'), ...(secret === '' ? {} : { client_secret: secret }) };
    const given = checkedValue(clientSchema, filled);
    if (!given.ok) return showOne(ctx, server, noticeOf(given.failure));
    const client = { clientId: given.value.client_id, clientSecret: given.value.client_secret ?? null };
    return answered(ctx, server, { done: await actions.enterClient(userOf(ctx), server.key, client), what: 'saved' });
  };
  const decide = async (ctx: RouteContext, server: KnownServer): Promise<void> => {
    const decisions = checkedValue(decisionsSchema, await decisionsIn(formFields(ctx), server));
    if (!decisions.ok) return showOne(ctx, server, noticeOf(decisions.failure));
    return answered(ctx, server, {
      done: await actions.decide(userOf(ctx), server.key, decisions.value),
      what: 'saved',
    });
  };
  /** What the form of the tools says; what is as it was is left out. */
  const decisionsIn = async (fields: URLSearchParams, { key }: KnownServer) => {
    const known = (await pins.find(key))?.tools ?? [];
    const rows = Array.from(
      { length: toolsPerPage },
      (_, index) => (name: string) => fieldOf(fields, `${name}_${index}`),
    );
    return {
      accept: rows.flatMap((of) => (of('accept') === '' ? [] : [{ name: of('name'), digest: of('accept') }])),
      settings: rows.flatMap((of) => {
        const before = known.find(({ name }) => name === of('name'));
        if (before === undefined) return [];
        const given = { effect: of('effect') || null, is_off: of('on') === '', is_searched: of('searched') !== '' };
        const isSame =
          given.effect === before.effect && given.is_off === before.isOff && given.is_searched === before.isSearched;
        return isSame ? [] : [{ name: before.name, ...given }];
      }),
    };
  };
  const signIn = async (ctx: RouteContext): Promise<void> => {
    const fields = formFields(ctx);
    const server = await actions.find(fieldOf(fields, 'service'));
    const again = (notice: SetupNotice) => (server === null ? showAll(ctx, notice) : showOne(ctx, server, notice));
    const refused = await signInAgain(ctx, dependencies);
    if (refused !== null) return again({ kind: 'bad', ...refused });
    seeOther(ctx, server === null ? '/setup/servers' : `/setup/servers/${server.key}`);
  };
  const document = (ctx: RouteContext): void => {
    const found = documentOf(parameterOf(ctx, 'service'));
    if (found === null) sendFailure(ctx, unknownServer);
    else {
      ctx.set('Cache-Control', 'public, max-age=3600');
      ctx.body = found;
    }
  };
  const ours = { who: 'person', permission: 'administrator' } as const;
  const form = (run: (ctx: RouteContext) => Promise<void>) =>
    ({ ...ours, method: 'POST', body: 'form', run: genuine(formGuard, purpose, run) }) as const;
  return [
    { ...ours, method: 'GET', path: '/setup/servers', body: 'none', run: (ctx) => showAll(ctx) },
    { ...form(add), path: '/setup/servers/add' },
    { ...form(signIn), path: '/setup/servers/sign-in' },
    {
      ...ours,
      method: 'GET',
      path: '/setup/servers/:service',
      body: 'none',
      run: withServer((ctx, server) => showOne(ctx, server)),
    },
    {
      ...form(
        withServer(async (ctx, server) =>
          answered(ctx, server, { done: await actions.look(userOf(ctx), server), what: 'looked' }),
        ),
      ),
      path: '/setup/servers/:service/look',
    },
    { ...form(withServer(decide)), path: '/setup/servers/:service/tools' },
    { ...form(withServer(enterClient)), path: '/setup/servers/:service/client' },
    { ...form(withServer(remove)), path: '/setup/servers/:service/remove' },
    { method: 'GET', path: '/connect/:service/client', who: 'public', body: 'none', run: document },
    ...serverJsonRoutes({ actions, servers, pins, differences }),
  ];
}

function noticeOf(failure: Failure): SetupNotice {
  return { kind: 'bad', text: forPeople(failure.message), status: statuses[failure.reason] ?? 400 };
}

function doneNotice(ctx: RouteContext): SetupNotice | null {
  const { done } = ctx.query;
  const text = typeof done === 'string' && Object.hasOwn(doneTexts, done) ? doneTexts[done] : undefined;
  return text === undefined ? null : { kind: 'good', text, status: 200 };
}

/** The page that the form of the tools was on. */
function pageIn(ctx: RouteContext): string {
  const page = fieldOf(formFields(ctx), 'page');
  return /^\d{1,3}$/.test(page) ? `&page=${page}` : '';
}
