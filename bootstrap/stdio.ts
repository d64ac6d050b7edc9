import { Command } from 'commander';
import { Container } from 'inversify';
import { openDispatcher } from '#adapters/mcp/open-endpoint.ts';
import { LineTransport } from '#adapters/mcp/transports/line-transport.ts';
import { RecordActivity } from '#application/activity/record-activity.ts';
import { UsageMeter } from '#application/activity/usage-meter.ts';
import { ApprovalFloors } from '#application/approvals/approval-floors.ts';
import type { Logger } from '#application/ports/logger.ts';
import { noOperationMetrics } from '#application/ports/operation-metrics.ts';
import { IdentifyCaller } from '#application/session/identify-caller.ts';
import { ProviderSettings } from '#application/setup/provider-settings.ts';
import { printError } from '#bootstrap/cli/command.ts';
import { settingsOfStdio } from '#bootstrap/cli/stdio-settings.ts';
import type { CheckedConfig } from '#bootstrap/config/portolan-config.ts';
import type { Settings } from '#bootstrap/config/settings.ts';
import { recordingPeriodMs } from '#bootstrap/jobs/jobs.ts';
import { approvals } from '#bootstrap/modules/approvals.ts';
import { auth } from '#bootstrap/modules/auth.ts';
import { changes } from '#bootstrap/modules/changes.ts';
import { edges } from '#bootstrap/modules/edges.ts';
import { platform } from '#bootstrap/modules/platform.ts';
import { programRuns } from '#bootstrap/modules/programs.ts';
import { listVersions, remoteServers, startRemoteServers } from '#bootstrap/modules/remote-servers.ts';
import { remoteSetup } from '#bootstrap/modules/remote-setup.ts';
import { services } from '#bootstrap/modules/services.ts';
import { type Runtime, tokens } from '#bootstrap/modules/tokens.ts';
import { workspace } from '#bootstrap/modules/workspace.ts';
import { serveLineSocket, serveStdio } from '#bootstrap/serve-lines.ts';
import { withEntered } from '#bootstrap/start/added-servers.ts';
import { openDataDir, openSecrets, StartError } from '#bootstrap/start/first-start.ts';
import { addFirstUser, firstUserParts } from '#bootstrap/start/first-user.ts';
import { hearStops } from '#bootstrap/stop/hear-stops.ts';
import { stopBudgetAfter } from '#bootstrap/stop/stop-budget.ts';
import { openStores } from '#bootstrap/stores/open-stores.ts';
import { Storage } from '#bootstrap/stores/storage.ts';
import { openTracing } from '#bootstrap/tracing/open-tracing.ts';
import { serveVault } from '#bootstrap/vault/serve-vault.ts';
import { version } from '#bootstrap/version.ts';
import { isActive } from '#domain/sessions/session.ts';
import type { User } from '#domain/users/user.ts';
import { deriveKey } from '#infrastructure/crypto/derive-key.ts';
import { openLogger } from '#infrastructure/logging/logger.ts';
import { commandLine } from '#infrastructure/program/command-line.ts';
import { every } from '#infrastructure/time/every.ts';
import { systemClock } from '#infrastructure/time/system-clock.ts';

/*
 * Line-based MCP for one user, on standard input and output or on a socket. The user is given by a bearer token in
 * PORTOLAN_TOKEN, or by e-mail in PORTOLAN_EMAIL. Uses the same data as the server, which DATA_DIR names, opens no network
 * port, runs no jobs, and logs to standard error only.
 */

await new Command(commandLine('stdio'))
  .description('Serves MCP on standard input and output, for the user of PORTOLAN_TOKEN or PORTOLAN_EMAIL.')
  .option('--socket <path>', 'serve a Unix socket (or a named pipe of Windows) instead, for any number of clients')
  .addHelpText('after', '\nOnly the user who started it can connect to the socket. SIGTERM and Ctrl-C end it.')
  .action(async ({ socket }: Readonly<{ socket?: string }>) => {
    try {
      const { settings, config, token } = await settingsOfStdio();
      await serve({ settings, config, token, socket: socket ?? null }, openLogger(settings.LOG_LEVEL));
      process.exit(0);
    } catch (error) {
      process.exit(printError(error));
    }
  })
  .parseAsync();

/**
 * The options; `socket` is the path of a socket, null for standard input and output. `token` is the bearer token of the
 * user to serve, empty for the one of PORTOLAN_EMAIL.
 */
type Serving = Readonly<{ settings: Settings; config: CheckedConfig; token: string; socket: string | null }>;

async function serve({ settings: given, config: configured, token, socket }: Serving, logger: Logger): Promise<void> {
  await openDataDir(given.dataDir);
  const secrets = await openSecrets(given);
  const [secret] = secrets;
  const stores = await openStores({ settings: given, stores: configured.stores, logger, hears: true });
  const { settings, config } = await withEntered({ settings: given, config: configured }, stores.stores, secrets);
  const baseUrl = settings.BASE_URL ?? `http://localhost:${settings.PORT}`;
  const runtime: Runtime = { settings, secrets, baseUrl, version, listensOnLoopback: true, formerCookiesUntil: 0 };
  const container = new Container({ defaultScope: 'Singleton' });
  container.bind(tokens.operationMetrics).toConstantValue(noOperationMetrics);
  const tracing = await openTracing({ settings, version, logger });
  const tracer = tracing?.tracer ?? null;
  // Only the server that runs the reactions reads them.
  container.bind(tokens.reactionOutcomes).toConstantValue(null);
  await container.loadAsync(
    platform({ runtime, config, logger, stores, tracer }),
    auth,
    remoteServers,
    remoteSetup,
    services,
    changes,
    approvals,
    workspace,
    programRuns,
    edges,
  );
  await container.get(ApprovalFloors).load();
  await container.get(ProviderSettings).load();
  await startRemoteServers(container);
  await addFirstUser(settings, firstUserParts(container));
  const user = await userOf(container, token);
  // Without a port, since the server may be using the configured one.
  const vault = settings.VAULT_URL === undefined ? await serveVault(container, { settings, port: null }) : null;
  const { dispatcher, listeners, subscriptions } = openDispatcher({
    catalog: container.get(tokens.catalog),
    run: container.get(tokens.awaitedCalls),
    connections: container.get(tokens.connections),
    grants: container.get(tokens.appGrants),
    users: container.get(tokens.users),
    noteChanges: container.get(tokens.noteChanges),
    accountChanges: container.get(tokens.accountChanges),
    features: container.get(tokens.mcpFeatures),
    listVersions: listVersions(container.get(tokens.remoteServers)),
    usage: container.get(UsageMeter),
    clock: systemClock,
    logger,
    version,
    baseUrl,
    stateKey: deriveKey(secret, 'mcp request states'),
    tracer,
  });
  const transport = new LineTransport({ dispatcher, listeners, now: () => systemClock.now() });
  const served = {
    user,
    current: () => currentUser(container, { known: user, token }),
    since: token === '' ? null : systemClock.now(),
  };
  const storage = container.get(Storage);
  const watching = storage.watch(logger);
  const recording = every(
    recordingPeriodMs,
    storage.unlessAway(() => container.get(RecordActivity).run(), 'database'),
    (error) => logger.error({ err: error }, 'Activity could not be recorded; will retry'),
  );
  const stop = hearStops();
  const stopped = new Promise<void>((resolve) => stop.addEventListener('abort', () => resolve(), { once: true }));
  const server = socket === null ? null : await serveLineSocket(transport, socket, served);
  if (server !== null) process.stderr.write(`Listening on ${socket}\n`);
  await Promise.race([stopped, ...(server === null ? [serveStdio(transport, served)] : [])]);
  // Accept nothing new, answer what is in flight, then end the lines.
  subscriptions.close();
  const closed = server?.close();
  await dispatcher.stop(stopBudgetAfter(0).runningMs);
  transport.close();
  await closed;
  await vault?.close();
  await Promise.all([watching.stop(), recording.stop()]);
  await container.get(RecordActivity).run();
  await container.get(tokens.stores).grants.settled();
  await container.unbindAllAsync();
  await tracing?.close();
  await stores.close();
}

/** Returns the user that the environment names; throws `StartError` when there is none, or the token is invalid. */
async function userOf(container: Container, token: string): Promise<User> {
  const { PORTOLAN_EMAIL: email } = process.env;
  if (token !== '') {
    const caller = await callerOf(container, token);
    if (caller !== null) return caller;
    throw new StartError('PORTOLAN_TOKEN: this token is invalid or expired. Sign in again, or set PORTOLAN_EMAIL.');
  }
  if (email === undefined || email === '') throw new StartError('Set PORTOLAN_TOKEN or PORTOLAN_EMAIL.');
  const found = await container.get(tokens.users).findByEmail(email);
  if (found === null) throw new StartError(`PORTOLAN_EMAIL: there is no user ${email}.`);
  const user = throughStdio(found.user);
  if (user === null) throw new StartError(`PORTOLAN_EMAIL: ${email} is deactivated.`);
  return user;
}

/** Returns the user as the program that started this one acts for them; null for a deactivated user. */
function throughStdio(user: User | null): User | null {
  return user === null || !isActive(user) ? null : { ...user, app: { grantId: null, name: 'portolan stdio' } };
}

/** Returns the token's user, restricted to its grant; null when the token is not or no longer valid. */
async function callerOf(container: Container, bearer: string): Promise<User | null> {
  const caller = await container.get(IdentifyCaller).run({ bearer, cookie: null });
  return caller.ok ? caller.value.user : null;
}

/**
 * Returns the user's current state, restricted to the token's grant; null for one who was deleted or deactivated, or
 * has signed out.
 * While the database is unavailable, the last known rights apply.
 */
async function currentUser(
  container: Container,
  { known, token }: Readonly<{ known: User; token: string }>,
): Promise<User | null> {
  try {
    return token !== ''
      ? await callerOf(container, token)
      : throughStdio(await container.get(tokens.users).find(known.id));
  } catch {
    return known;
  }
}
