import { Container } from 'inversify';
import { buildApp } from '#adapters/http/app.ts';
import { mcpRoutes } from '#adapters/http/mcp-routes.ts';
import { entities } from '#adapters/persistence/entities.ts';
import { migrations } from '#adapters/persistence/migrations.ts';
import type { Logger } from '#application/ports/logger.ts';
import { connectVault, forgetSetVault } from '#bootstrap/connect-vault.ts';
import { openDataDir, openSecrets } from '#bootstrap/first-start.ts';
import { addFirstUser } from '#bootstrap/first-user.ts';
import { startJobs } from '#bootstrap/jobs.ts';
import { type Listening, listen } from '#bootstrap/listen.ts';
import { auth } from '#bootstrap/modules/auth.ts';
import { edges } from '#bootstrap/modules/edges.ts';
import { platform } from '#bootstrap/modules/platform.ts';
import { services } from '#bootstrap/modules/services.ts';
import { registrations } from '#bootstrap/modules/webhook-registrations.ts';
import { webhooks } from '#bootstrap/modules/webhooks.ts';
import { openNoteTemplates } from '#bootstrap/note-templates.ts';
import { isLoopback, type Runtime } from '#bootstrap/runtime.ts';
import { serveVault, vaultPort } from '#bootstrap/serve-vault.ts';
import type { Settings } from '#bootstrap/settings.ts';
import { atMost, stopBudget } from '#bootstrap/stop-budget.ts';
import { tokens } from '#bootstrap/tokens.ts';
import { openDatabase } from '#infrastructure/database/open-database.ts';
import { lockForServer } from '#infrastructure/database/server-lock.ts';
import { systemClock } from '#infrastructure/time/system-clock.ts';

/** A running server. */
export type Portolan = Readonly<{
  baseUrl: string;
  /** The address and port that it listens on. */
  host: string;
  port: number;
  adminEmail: string;
  /** The password generated for the first user; null when it was given, or is from a former start. */
  firstPassword: string | null;
  /** Where the notes are: a folder, or the address of a notes app. */
  notes: string;
  /** Drains: accepts nothing new, ends what is running, closes the database. */
  stop(): Promise<void>;
}>;

/** What is closed at a stop, in this order, some of it together: each part outlives what still uses it. */
const stages = [
  ['readiness'],
  ['streams'],
  ['server', 'jobs', 'outbound'],
  ['receipts'],
  ['vault'],
  ['container'],
  ['lock'],
] as const;

/** The functions that close each opened part. */
type Closers = Map<(typeof stages)[number][number], () => Promise<void> | void>;

/** Starts the whole server. An error on the way closes what was opened before, and is thrown. */
export async function startPortolan(settings: Settings, logger: Logger, version: string): Promise<Portolan> {
  const closers: Closers = new Map();
  try {
    return await open({ settings, logger, version, closers });
  } catch (error) {
    await closeAll(closers);
    throw error;
  }
}

type Opening = Readonly<{ settings: Settings; logger: Logger; version: string; closers: Closers }>;

async function open({ settings, logger, version, closers }: Opening): Promise<Portolan> {
  await openDataDir(settings.dataDir);
  const secrets = await openSecrets(settings);
  const templates = await openNoteTemplates(settings.dataDir);
  const lock = lockForServer(settings.databaseUrl);
  closers.set('lock', () => lock.release());
  const database = await openDatabase({ url: settings.databaseUrl, entities, migrations });
  closers.set('container', () => database.close());
  const listening = await listen(settings.HOST, settings.PORT);
  closers.set('server', () => listening.drain(stopBudget.runningMs));

  const baseUrl = settings.BASE_URL ?? `http://localhost:${listening.port}`;
  const runtime: Runtime = { settings, secrets, baseUrl, version, listensOnLoopback: isLoopback(settings.HOST) };
  const container = new Container();
  const areas = [auth, services, webhooks(templates), registrations, edges];
  await container.loadAsync(platform({ runtime, logger, database }), ...areas);
  // The container closes what it holds, the database too.
  closers.set('container', () => container.unbindAllAsync());

  const firstUser = await addFirstUser(settings, container.get(tokens.users), container.get(tokens.passwords));
  const notes = await openNotes({ settings, secret: secrets[0], closers, container });
  await serve(container, listening, runtime);
  const mcp = await container.getAsync(tokens.mcp);
  closers.set('streams', () => mcp.close());
  closers.set('readiness', () => container.get(tokens.readiness).drain());
  closers.set('jobs', startJobs(container));
  const http = container.get(tokens.http);
  closers.set('outbound', () => {
    // A caller that waits for a hanging provider gets an answer rather than a dropped connection.
    setTimeout(() => http.abort(), stopBudget.outboundMs).unref();
  });
  closers.set('receipts', () => container.get(tokens.noteReceipts).settled());

  return {
    baseUrl,
    host: settings.HOST,
    port: listening.port,
    adminEmail: settings.ADMIN_EMAIL,
    firstPassword: firstUser.madePassword,
    notes,
    stop: () => closeAll(closers),
  };
}

/** Connects the automation user to the notes app in the settings; without one, serves the team's vault to all users. */
async function openNotes({
  settings,
  secret,
  closers,
  container,
}: Readonly<{
  settings: Settings;
  secret: string;
  closers: Closers;
  container: Container;
}>): Promise<string> {
  const ports = {
    connections: container.get(tokens.connections),
    probe: container.get(tokens.probe),
    clock: systemClock,
  };
  const userId = settings.AUTOMATION_USER_ID;
  if (settings.VAULT_URL !== undefined) {
    const verifySsl = settings.VAULT_VERIFY_TLS ?? true;
    await connectVault(ports, userId, {
      url: settings.VAULT_URL,
      key: settings.VAULT_API_KEY ?? '',
      verifySsl,
    });
    return settings.VAULT_URL;
  }
  await forgetSetVault(ports, userId);
  const vault = await serveVault(container, { settings, secret, port: vaultPort(settings) });
  closers.set('vault', () => vault.close());
  return settings.vaultDir;
}

async function serve(container: Container, listening: Listening, runtime: Runtime): Promise<void> {
  const { settings, baseUrl, listensOnLoopback } = runtime;
  const handle = buildApp({
    programs: mcpRoutes(await container.getAsync(tokens.mcp)),
    rooms: [
      await container.getAsync(tokens.serviceRoutes),
      container.get(tokens.authRoutes),
      container.get(tokens.connectionRoutes),
      container.get(tokens.deliveryRoutes),
    ],
    identifyCaller: container.get(tokens.identifyCaller),
    logger: container.get(tokens.logger),
    settings: {
      baseUrl,
      listensOnLoopback,
      allowedOrigins: settings.ALLOWED_ORIGINS,
      oauthMetadata: settings.OAUTH_METADATA,
      trustProxy: settings.TRUST_PROXY,
    },
  });
  listening.serve(handle);
}

async function closeAll(closers: Closers): Promise<void> {
  for (const stage of stages) {
    const closing = stage.map(async (one) => closers.get(one)?.());
    for (const one of stage) closers.delete(one);
    await atMost(stopBudget.runningMs, Promise.all(closing));
  }
}
