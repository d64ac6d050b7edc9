import { sendFailure } from '#adapters/http/answers/problem.ts';
import { userOf } from '#adapters/http/middleware/authentication.ts';
import { checkedBody } from '#adapters/http/requests/checked-input.ts';
import { parameterOf, type Route, type RouteContext } from '#adapters/http/route.ts';
import {
  type ServerActions,
  type ServerActionsDependencies,
  unknownServer,
} from '#adapters/http/setup/server-actions.ts';
import {
  clientSchema,
  decisionsSchema,
  newServerSchema,
  serverAsJson,
  toolAsJson,
} from '#adapters/http/setup/server-json.ts';
import type { KnownServer } from '#adapters/http/setup/server-pages.ts';
import type { Differences } from '#application/ports/differences.ts';
import type { Failure } from '#domain/operations/outcome.ts';
import type { Result } from '#domain/shared/result.ts';

type ServerJsonDependencies = Pick<ServerActionsDependencies, 'servers' | 'pins'> &
  Readonly<{ actions: ServerActions; differences: Differences }>;

/** Serves remote MCP servers as JSON below /api/servers. No answer has a secret. */
export function serverJsonRoutes({ actions, servers, pins, differences }: ServerJsonDependencies): readonly Route[] {
  const list = async (ctx: RouteContext): Promise<void> => {
    const all = await servers();
    ctx.body = { servers: await Promise.all(all.map(async (one) => serverAsJson(one, await pins.find(one.key)))) };
  };
  const answer = async (ctx: RouteContext, server: KnownServer): Promise<void> => {
    const found = await pins.find(server.key);
    const tools = (found?.tools ?? []).map((one) => toolAsJson(one, differences));
    ctx.body = { ...serverAsJson(server, found), tools };
  };
  const withServer = (run: (ctx: RouteContext, server: KnownServer) => Promise<void>) => async (ctx: RouteContext) => {
    const server = await actions.find(parameterOf(ctx, 'service'));
    if (server === null) return sendFailure(ctx, unknownServer);
    await run(ctx, server);
  };
  const answered = async (ctx: RouteContext, server: KnownServer, done: Result<void, Failure>): Promise<void> => {
    if (!done.ok) return sendFailure(ctx, done.failure);
    await answer(ctx, server);
  };
  const add = async (ctx: RouteContext): Promise<void> => {
    const given = checkedBody(ctx, newServerSchema);
    const added = given.ok ? await actions.add(userOf(ctx), given.value) : given;
    if (!added.ok) return sendFailure(ctx, added.failure);
    await list(ctx);
    ctx.status = 201;
  };
  const remove = async (ctx: RouteContext, server: KnownServer): Promise<void> => {
    const removed = await actions.remove(userOf(ctx), server.key);
    if (!removed.ok) return sendFailure(ctx, removed.failure);
    await list(ctx);
  };
  const decide = async (ctx: RouteContext, server: KnownServer): Promise<void> => {
    const given = checkedBody(ctx, decisionsSchema);
    const done = given.ok ? await actions.decide(userOf(ctx), server.key, given.value) : given;
    return answered(ctx, server, done);
  };
  const enterClient = async (ctx: RouteContext, server: KnownServer): Promise<void> => {
    const given = checkedBody(ctx, clientSchema);
    if (!given.ok) return sendFailure(ctx, given.failure);
    const client = { clientId: given.value.client_id, clientSecret: given.value.client_secret ?? null };
    return answered(ctx, server, await actions.enterClient(userOf(ctx), server.key, client));
  };
  const look = async (ctx: RouteContext, server: KnownServer): Promise<void> =>
    answered(ctx, server, await actions.look(userOf(ctx), server));
  const ours = { who: 'person', permission: 'administrator' } as const;
  const one = '/api/servers/:service';
  return [
    { ...ours, method: 'GET', path: '/api/servers', body: 'none', run: list },
    { ...ours, method: 'POST', path: '/api/servers', body: 'json', run: add },
    { ...ours, method: 'GET', path: one, body: 'none', run: withServer(answer) },
    { ...ours, method: 'DELETE', path: one, body: 'none', run: withServer(remove) },
    { ...ours, method: 'POST', path: `${one}/look`, body: 'none', run: withServer(look) },
    { ...ours, method: 'PUT', path: `${one}/tools`, body: 'json', run: withServer(decide) },
    { ...ours, method: 'PUT', path: `${one}/client`, body: 'json', run: withServer(enterClient) },
  ];
}
