import { z } from 'zod';
import { type FormGuard, formTokenField } from '#adapters/http/middleware/form-guard.ts';
import { refuse } from '#adapters/http/middleware/refuse.ts';
import { messagePage } from '#adapters/http/pages/message-page.ts';
import { sendPage } from '#adapters/http/pages/send-page.ts';
import { sendFailure } from '#adapters/http/problem.ts';
import { parameterOf, type Route, type RouteContext, userOf } from '#adapters/http/route.ts';
import type { ConnectRefusal, ConnectService } from '#application/connections/connect-service.ts';
import type { SaveCredentials } from '#application/connections/save-credentials.ts';
import type { Connection } from '#domain/connections/connection.ts';
import { failed } from '#domain/operations/outcome.ts';
import { type ServiceKey, serviceKeys, serviceTitles } from '#domain/services/service-key.ts';
import { authMethods } from '#domain/tokens/token-record.ts';

/** What the connections' routes work with. */
export type ConnectionParts = Readonly<{
  connect: ConnectService;
  save: SaveCredentials;
  list: (userId: number) => Promise<readonly Connection[]>;
  disconnect: (userId: number, service: ServiceKey) => Promise<boolean>;
  formGuard: FormGuard;
}>;

/** What the forms on /page are for, as the guard of forms knows them. */
export const connectionForms = { save: 'save', disconnect: 'disconnect', connect: 'connect' } as const;

const serviceSchema = z.enum(serviceKeys, { error: `must be one of ${serviceKeys.join(', ')}` });
const savedSchema = z.object({
  service: serviceSchema,
  auth_method: z.enum(authMethods, { error: `must be one of ${authMethods.join(', ')}` }),
  access_token: z.string({ error: 'must be a text' }).trim().min(1, { error: 'must not be empty' }).max(8_192),
  extra: z.record(z.string(), z.unknown(), { error: 'must be an object' }).default({}),
});
const disconnectedSchema = z.object({ service: serviceSchema });

const statusOf: Readonly<Record<ConnectRefusal['reason'], number>> = {
  forbidden: 403,
  unknown_state: 400,
  denied: 400,
  refused: 400,
  not_configured: 409,
  unavailable: 502,
};

/** Connecting and disconnecting: /connect/{service} and its way back, /save, /disconnect, /api/connections (decisions, Connections). */
export function connectionRoutes(parts: ConnectionParts): readonly Route[] {
  const route = { access: 'protected' as const };
  return [
    { ...route, method: 'GET', path: '/connect/:service', body: 'none', run: (ctx) => begin(ctx, parts) },
    { ...route, method: 'GET', path: '/connect/:service/callback', body: 'none', run: (ctx) => finish(ctx, parts) },
    { ...route, method: 'POST', path: '/save', body: 'json-or-form', run: (ctx) => save(ctx, parts) },
    { ...route, method: 'POST', path: '/disconnect', body: 'json-or-form', run: (ctx) => disconnect(ctx, parts) },
    {
      ...route,
      method: 'GET',
      path: '/api/connections',
      body: 'none',
      run: async (ctx) => {
        const connections = await parts.list(userOf(ctx).id);
        ctx.body = { data: connections.map(shown) };
      },
    },
  ];
}

async function begin(ctx: RouteContext, { connect, formGuard }: ConnectionParts): Promise<void> {
  const service = serviceSchema.safeParse(parameterOf(ctx, 'service'));
  if (!service.success) return unknownService(ctx);
  const { data_center, actor_mode, company_domain } = ctx.query;
  const chosen = Object.entries({ data_center, actor_mode, company_domain }).filter(
    ([, value]) => typeof value === 'string',
  );
  const browser = formGuard.tokenFor(ctx, connectionForms.connect, [String(userOf(ctx).id)]);
  const begun = await connect.begin(userOf(ctx), service.data, { browser, extra: Object.fromEntries(chosen) });
  if (!begun.ok) return refuseConnect(ctx, service.data, begun.failure);
  ctx.status = 302;
  ctx.set('Location', begun.value);
  ctx.set('Cache-Control', 'no-store');
  ctx.body = '';
}

async function finish(ctx: RouteContext, { connect, formGuard }: ConnectionParts): Promise<void> {
  const service = serviceSchema.safeParse(parameterOf(ctx, 'service'));
  if (!service.success) return unknownService(ctx);
  const query = Object.fromEntries(
    Object.entries(ctx.query).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
  );
  const browser = formGuard.tokenFor(ctx, connectionForms.connect, [String(userOf(ctx).id)]);
  const finished = await connect.finish(userOf(ctx), service.data, { browser, query });
  if (!finished.ok) return refuseConnect(ctx, service.data, finished.failure);
  seeOther(ctx, '/page');
}

async function save(ctx: RouteContext, parts: ConnectionParts): Promise<void> {
  const isForm = ctx.is('urlencoded') !== false;
  if (isForm && !isGenuine(ctx, parts.formGuard, connectionForms.save)) return stale(ctx);
  const given = savedSchema.safeParse(isForm ? fromForm(ctx.request.body) : ctx.request.body);
  if (!given.success)
    return sendFailure(ctx, failed('invalid_input', `The input does not fit: ${faultsOf(given.error)}.`));
  const { service, auth_method, access_token, extra } = given.data;
  const saved = await parts.save.run(userOf(ctx), {
    service,
    authMethod: auth_method,
    accessToken: access_token,
    extra,
  });
  if (isForm && saved.ok) return seeOther(ctx, '/page');
  if (isForm && !saved.ok)
    return page(ctx, 400, `The ${serviceTitles[service]} was not connected`, saved.failure.message);
  if (saved.ok) ctx.body = saved.value;
  else sendFailure(ctx, saved.failure);
}

async function disconnect(ctx: RouteContext, parts: ConnectionParts): Promise<void> {
  const isForm = ctx.is('urlencoded') !== false;
  if (isForm && !isGenuine(ctx, parts.formGuard, connectionForms.disconnect)) return stale(ctx);
  const given = disconnectedSchema.safeParse(ctx.request.body);
  if (!given.success)
    return sendFailure(ctx, failed('invalid_input', `The input does not fit: ${faultsOf(given.error)}.`));
  const { service } = given.data;
  const wasThere = await parts.disconnect(userOf(ctx).id, service);
  if (isForm) return seeOther(ctx, '/page');
  if (wasThere) ctx.body = { service, state: 'disconnected' };
  else sendFailure(ctx, failed('not_connected', `You are not connected to the ${serviceTitles[service]}.`));
}

/** The vault's form has fields of its own; the rest of a form is the same as the JSON. */
function fromForm(body: unknown): unknown {
  const fields = z.record(z.string(), z.unknown()).catch({}).parse(body);
  const { base_url, verify_ssl, ...rest } = fields;
  if (typeof base_url !== 'string' || base_url === '') return rest;
  return { ...rest, extra: { base_url, verify_ssl: verify_ssl !== 'off' } };
}

function isGenuine(ctx: RouteContext, formGuard: FormGuard, form: string): boolean {
  const { [formTokenField]: token } = z.record(z.string(), z.unknown()).catch({}).parse(ctx.request.body);
  return typeof token === 'string' && formGuard.isGenuine(ctx, token, form, [String(userOf(ctx).id)]);
}

function faultsOf(error: z.ZodError): string {
  return error.issues.map((issue) => `\`${issue.path.join('.')}\` ${issue.message}`).join('; ');
}

function shown({ service, authMethod, scope, state, expiresAt, since, reason }: Connection) {
  return { service, auth_method: authMethod, scope, state, expires_at: expiresAt, since, reason };
}

function refuseConnect(ctx: RouteContext, service: ServiceKey, { reason, message }: ConnectRefusal): void {
  page(ctx, statusOf[reason], `The ${serviceTitles[service]} was not connected`, message);
}

function stale(ctx: RouteContext): void {
  page(
    ctx,
    403,
    'This form is no longer good',
    'It was made in another browser or for another user. Go back to your connections and try again.',
  );
}

function unknownService(ctx: RouteContext): void {
  refuse(ctx, { status: 404, error: 'not_found', description: `There are five services: ${serviceKeys.join(', ')}.` });
}

function page(ctx: RouteContext, status: number, title: string, text: string): void {
  sendPage(ctx, status, messagePage({ title, text, link: { href: '/page', text: 'Your connections' } }));
}

function seeOther(ctx: RouteContext, path: string): void {
  ctx.status = 303;
  ctx.set('Location', path);
  ctx.body = '';
}
