import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buildApp } from '#adapters/http/app.ts';
import { connectionsPage, connectionsPageRoute } from '#adapters/http/connections/connections-page.ts';
import { homeRoutes } from '#adapters/http/home/home-routes.ts';
import { userOf } from '#adapters/http/middleware/authentication.ts';
import { healthRoutes } from '#adapters/http/monitoring/health-routes.ts';
import { authRoutes } from '#adapters/http/oauth/auth-routes.ts';
import { FormGuard } from '#adapters/http/requests/form-guard.ts';
import { KnownBrowsers } from '#adapters/http/requests/known-browsers.ts';
import type { Route } from '#adapters/http/route.ts';
import { CachedSessionTokens } from '#adapters/memory/cached-session-tokens.ts';
import { MemoryAuthorizationCodes } from '#adapters/memory/memory-authorization-codes.ts';
import { MemoryClients } from '#adapters/memory/memory-clients.ts';
import { cachedGrants, cachedSessions, cachedUsers } from '#adapters/stores/cached-stores.ts';
import type { ClientDocuments } from '#application/ports/client-documents.ts';
import type { Logger } from '#application/ports/logger.ts';
import { BeginSession } from '#application/session/begin-session.ts';
import { IdentifyCaller } from '#application/session/identify-caller.ts';
import { SignOutEverywhere } from '#application/session/sign-out-everywhere.ts';
import { audienceOf, authUseCases } from '#bootstrap/modules/auth-use-cases.ts';
import { rateLimitRules } from '#domain/limits/rate-limit-rules.ts';
import { err, ok } from '#domain/shared/result.ts';
import { Argon2Passwords } from '#infrastructure/crypto/argon2-passwords.ts';
import { deriveKey } from '#infrastructure/crypto/derive-key.ts';
import { JweSessionTokens } from '#infrastructure/crypto/jwe-session-tokens.ts';
import { systemRandom } from '#infrastructure/crypto/random.ts';
import { MemoryRateLimits } from '#infrastructure/limits/memory-rate-limits.ts';
import { noRateLimits } from '#infrastructure/limits/no-rate-limits.ts';
import { MemoryGrants } from '#test/doubles/memory-grants.ts';
import { MemorySessions } from '#test/doubles/memory-sessions.ts';
import { MemoryUsers } from '#test/doubles/memory-users.ts';
import { neutralNames } from '#test/support/services/five-services.ts';

/** A log line as the tests see it. */
export type LogLine = Readonly<{ level: string; message: string; fields: Readonly<Record<string, unknown>> }>;

/** Password costs that a test can afford. */
export const cheapCosts = { memoryKib: 64, passes: 1, atOnce: 4, maxWaitMs: 5_000 };

/** The first user of every test app. */
export const ada = { email: 'ada@example.com', password: 'correct horse battery staple' };

/** A logger that keeps its lines. */
export function keepingLogger(lines: LogLine[]): Logger {
  const at = (level: string) => (fields: Readonly<Record<string, unknown>>, message: string) => {
    lines.push({ level, message, fields });
  };
  const logger: Logger = {
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    child: () => logger,
  };
  return logger;
}

/** How a test app departs from the default settings. */
export type AuthAppOptions = Readonly<{
  oauthMetadata?: boolean;
  oauthStrict?: boolean;
  rateLimits?: boolean;
  trustProxy?: boolean;
  allowedOrigins?: readonly string[];
  listensOnLoopback?: boolean;
  /** The base URL for a port; without it http://localhost:{port}. */
  baseUrl?: string;
  secrets?: readonly string[];
  /** Clients' documents; without them none can be read. */
  documents?: ClientDocuments;
  routes?: readonly Route[];
  bodyLimitBytes?: number;
  passwordCosts?: typeof cheapCosts;
  /** Until when cookies from before sessions were stored count as persons'; never by default. */
  formerCookiesUntil?: number;
}>;

/** The whole edge on a real port with stores in memory: authorization, sessions, pages, and a few routes to try. */
export async function openAuthApp(options: AuthAppOptions = {}) {
  const server = createServer();
  const port = await listen(server);
  const baseUrl = options.baseUrl ?? `http://localhost:${port}`;
  const lines: LogLine[] = [];
  const time = { now: 1_800_000_000_000 };
  const clock = { now: () => time.now };
  const secrets = options.secrets ?? ['0123456789abcdef0123456789abcdef'];
  const sealed = new JweSessionTokens(secrets.map((secret) => deriveKey(secret, 'session')));
  const passwords = new Argon2Passwords(options.passwordCosts ?? cheapCosts);
  const stored = new MemoryUsers();
  const ports = {
    clients: new MemoryClients(),
    documents: options.documents ?? {
      find: async () => err({ reason: 'unusable_document' as const, message: 'none here' }),
    },
    codes: new MemoryAuthorizationCodes(),
    users: cachedUsers(stored),
    tokens: new CachedSessionTokens(sealed),
    sessions: cachedSessions(new MemorySessions()),
    grants: cachedGrants(new MemoryGrants()),
    passwords,
    limits: options.rateLimits === true ? new MemoryRateLimits(rateLimitRules) : noRateLimits,
    clock,
    random: systemRandom,
    logger: keepingLogger(lines),
    services: neutralNames.keys,
  };
  const passwordHash = await passwords.hash(ada.password);
  await ports.users.add({ email: ada.email, passwordHash, permissions: ['vault'], isAdmin: true });
  const formGuard = new FormGuard([deriveKey(secrets[0] ?? '', 'forms')], systemRandom, baseUrl);
  const settings = {
    baseUrl,
    listensOnLoopback: options.listensOnLoopback ?? true,
    oauthMetadata: options.oauthMetadata ?? false,
    oauthStrict: options.oauthStrict ?? false,
    trustProxy: options.trustProxy ?? false,
    ways: { passwords: true, providerHost: null },
    admin: 'an administrator',
    allowedOrigins: options.allowedOrigins ?? [],
    ...(options.bodyLimitBytes === undefined ? {} : { bodyLimitBytes: options.bodyLimitBytes }),
  };
  const { services, sessions, tokens, random } = ports;
  const audience = audienceOf(settings);
  const given = {
    identifyCaller: new IdentifyCaller(ports, {
      services,
      baseUrl,
      formerCookiesUntil: options.formerCookiesUntil ?? 0,
    }),
    beginSession: new BeginSession({ sessions, tokens, random, clock, audience }),
    signOutEverywhere: new SignOutEverywhere(ports),
  };
  const connections = { overview: async () => ({ services: new Set(['vault' as const]), isInTeamVault: false }) };
  const methods = { find: () => null, checkExtra: () => ok({}) };
  const routes = [
    ...authRoutes({
      useCases: authUseCases(ports, given, settings),
      settings,
      connections,
      names: neutralNames,
      limits: ports.limits,
      formGuard,
      knownBrowsers: new KnownBrowsers([deriveKey(secrets[0] ?? '', 'known browsers')], systemRandom, baseUrl),
      logger: ports.logger,
      provider: null,
    }),
    ...healthRoutes({ notReady: async () => null }),
    ...homeRoutes({
      baseUrl,
      names: neutralNames,
      users: ports.users,
      oauthMetadata: settings.oauthMetadata,
      list: async () => [],
      appsOf: async () => [],
      usage: { usage: async () => [] },
      budgets: { leftOf: async () => [] },
      attentionOf: async () => [],
      now: () => Date.now(),
    }),
    connectionsPageRoute(
      connectionsPage({
        formGuard,
        methods,
        names: neutralNames,
        catalog: { operations: [] },
        users: ports.users,
        list: async () => [],
        senders: [],
        lastUsed: async () => null,
        now: Date.now,
        webhooksOf: async (_, service) => ({
          service,
          failure: null,
          webhooks: [],
          receiver: { address: '', secretVariable: '' },
          lastDeliveryAt: null,
        }),
      }),
    ),
    ...(options.routes ?? echoRoutes),
  ];
  const handle = buildApp({
    routeGroups: [routes],
    identifyCaller: given.identifyCaller,
    logger: ports.logger,
    settings,
  });
  server.on('request', handle);
  return {
    /** Where the test reaches it, whatever its base URL is. */
    origin: `http://127.0.0.1:${port}`,
    baseUrl,
    ports,
    time,
    lines,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** A test app that is open. */
export type AuthApp = Awaited<ReturnType<typeof openAuthApp>>;

/** Routes that return what reached them. */
export const echoRoutes: readonly Route[] = [
  {
    method: 'POST',
    path: '/message',
    who: 'person-or-app',
    body: 'json',
    bodyLimitBytes: 4 << 20,
    run: (ctx) => {
      ctx.body = { userId: userOf(ctx).id, got: ctx.request.body };
    },
  },
  {
    method: 'GET',
    path: '/broken',
    who: 'person-or-app',
    body: 'none',
    run: () => {
      throw new Error('the secret of the server');
    },
  },
];

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address: AddressInfo | string | null = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}
