import type { RequestListener } from 'node:http';
import { Container } from 'inversify';
import { buildApp } from '#adapters/http/app.ts';
import { rootRoutes } from '#adapters/http/home/root-routes.ts';
import { mcpRoutes } from '#adapters/http/mcp-routes.ts';
import { McpEndpoint } from '#adapters/mcp/transports/mcp-endpoint.ts';
import { PrometheusMetrics } from '#adapters/metrics/prometheus-metrics.ts';
import { RecordActivity } from '#application/activity/record-activity.ts';
import { ApprovalFloors } from '#application/approvals/approval-floors.ts';
import { DecideApproval } from '#application/approvals/decide-approval.ts';
import { Attention } from '#application/attention/attention.ts';
import type { Clock } from '#application/ports/clock.ts';
import type { Logger } from '#application/ports/logger.ts';
import { IdentifyCaller } from '#application/session/identify-caller.ts';
import { ProviderSettings } from '#application/setup/provider-settings.ts';
import { NoteReceipts } from '#application/webhooks/note-receipts.ts';
import { addressFact } from '#bootstrap/checks/running-server.ts';
import { checkConfig } from '#bootstrap/config/check-config.ts';
import { isLoopback } from '#bootstrap/config/is-loopback.ts';
import type { CheckedConfig } from '#bootstrap/config/portolan-config.ts';
import type { Settings } from '#bootstrap/config/settings.ts';
import { startIntegrityJob } from '#bootstrap/jobs/integrity-job.ts';
import { startJobs } from '#bootstrap/jobs/jobs.ts';
import { type Listening, listen, RunningRequests } from '#bootstrap/listen.ts';
import { areasOf } from '#bootstrap/modules/areas.ts';
import { platform } from '#bootstrap/modules/platform.ts';
import { startRemoteServers } from '#bootstrap/modules/remote-servers.ts';
import { type Runtime, tokens } from '#bootstrap/modules/tokens.ts';
import { type ClientDispatcher, clientDispatcher } from '#bootstrap/package/client-dispatcher.ts';
import { Readiness } from '#bootstrap/readiness.ts';
import { withEntered } from '#bootstrap/start/added-servers.ts';
import { openDataDir, openSecrets } from '#bootstrap/start/first-start.ts';
import { addFirstUser, firstUserParts } from '#bootstrap/start/first-user.ts';
import { formerCookiesUntil } from '#bootstrap/start/former-cookies.ts';
import { refuseOtherSecret } from '#bootstrap/start/secret-fingerprint.ts';
import { type StopBudget, stopBudgetAfter } from '#bootstrap/stop/stop-budget.ts';
import { type Closers, closeAll } from '#bootstrap/stop/stop-order.ts';
import { openStores } from '#bootstrap/stores/open-stores.ts';
import { streamRoom } from '#bootstrap/stream-room.ts';
import { openTracing } from '#bootstrap/tracing/open-tracing.ts';
import { connectVault, forgetSetVault } from '#bootstrap/vault/connect-vault.ts';
import { openNoteTemplates, openSink } from '#bootstrap/vault/open-sink.ts';
import { serveVault, vaultPort } from '#bootstrap/vault/serve-vault.ts';
import { HttpClient } from '#infrastructure/http/http-client.ts';
import { systemClock } from '#infrastructure/time/system-clock.ts';

/** An open server; only its own port is opened by `listen`. */
export type OpenPortolan = Readonly<{
  /** Answers all HTTP requests; to be mounted at the root of a server. */
  listener: RequestListener;
  /** Answers MCP requests of transports other than HTTP. */
  dispatcher: ClientDispatcher;
  baseUrl: string;
  adminEmail: string;
  /** The password generated for the first user; null when it was given in the settings, or the user existed already. */
  firstPassword: string | null;
  /** Where the notes are: a folder, or the URL of a notes app. */
  notes: string;
  /** Listens on the address and port of the settings; returns both, with the actual port for port 0. */
  listen(): Promise<Readonly<{ host: string; port: number }>>;
  /** Drains: accepts nothing new, ends running work, and closes the stores. */
  stop(): Promise<void>;
}>;

/** A server that is listening. */
export type RunningPortolan = OpenPortolan & Readonly<{ host: string; port: number }>;

/** The options of a server. */
export type PortolanParts = Readonly<{
  settings: Settings;
  config: CheckedConfig;
  logger: Logger;
  version: string;
  /** The system's clock when not given. */
  clock?: Clock;
  /** Measures the processor time that the process gets (INBOX-020, INBOX-026); none when not given, as where it has other work as well. */
  load?: Runtime['load'];
  /** Whether to open the port first, so that requests are answered 503 until `listen`. */
  listensEarly?: boolean;
  /** Gives up the start when it aborts, after the current step. */
  stop?: AbortSignal;
}>;

/** Opens a server that does not listen yet. On an error or a stop, closes what was opened and rethrows. */
export async function openPortolan(parts: PortolanParts): Promise<OpenPortolan> {
  const closers: Closers = new Map();
  try {
    return await open(parts, closers);
  } catch (error) {
    await closeAll(closers);
    throw error;
  }
}

/** What a server is started with; `config` is the default one when not given. */
export type StartedParts = Omit<PortolanParts, 'config' | 'listensEarly'> & Readonly<{ config?: CheckedConfig }>;

/** Opens the server and listens. */
export async function startPortolan({ config, ...parts }: StartedParts): Promise<RunningPortolan> {
  const services = parts.settings.services.map(({ service }) => service);
  const portolan = await openPortolan({
    ...parts,
    config: config ?? { ...checkConfig({}), services },
    listensEarly: true,
  });
  return { ...portolan, ...(await portolan.listen()) };
}

async function open(
  { settings: given, config: configured, logger, version, clock, load, listensEarly = false, stop }: PortolanParts,
  closers: Closers,
): Promise<OpenPortolan> {
  const goOn = () => stop?.throwIfAborted();
  await openDataDir(given.dataDir);
  const secrets = await openSecrets(given);
  const templates = await openNoteTemplates(given);
  goOn();
  const stores = await openStores({ settings: given, stores: configured.stores, logger, clock, isServer: true, stop });
  closers.set('stores', () => stores.close());
  goOn();
  const tracing = await openTracing({ settings: given, version, logger });
  if (tracing !== null) closers.set('tracing', tracing.close);
  const tracer = tracing?.tracer ?? null;
  await refuseOtherSecret(stores.stores.serverFacts, secrets);
  const { settings, config } = await withEntered({ settings: given, config: configured }, stores.stores, secrets);
  goOn();
  const port = new Port(settings, closers);
  // The base URL contains the port number, which is not known before the port is open.
  if (listensEarly || (settings.PORT === 0 && settings.BASE_URL === undefined)) await port.open();

  const baseUrl = settings.BASE_URL ?? `http://localhost:${port.number}`;
  const runtime: Runtime = {
    settings,
    secrets,
    baseUrl,
    version,
    listensOnLoopback: isLoopback(settings.HOST),
    formerCookiesUntil: await formerCookiesUntil(stores.stores, (clock ?? systemClock).now()),
    load,
  };
  const container = new Container({ defaultScope: 'Singleton' });
  const parts = { runtime, config, logger, stores, tracer, ...(clock === undefined ? {} : { clock }) };
  await container.loadAsync(platform(parts), ...areasOf(templates));
  closers.set('container', () => container.unbindAllAsync());
  await container.get(ApprovalFloors).load();
  await container.get(ProviderSettings).load();
  await startRemoteServers(container);
  closers.set('sink', await openSink(container));
  goOn();

  const firstUser = await addFirstUser(settings, firstUserParts(container));
  goOn();
  const notes = await openNotes({ settings, closers, container });
  goOn();
  const listener = await listenerOf(container, runtime);
  // For servers that mount the listener; the server's own port tracks its requests itself.
  const requests = new RunningRequests(listener);
  closers.set('requests', () => requests.drain(port.stopBudget.runningMs));
  const mcp = await container.getAsync(McpEndpoint);
  let calls = Promise.resolve();
  closers.set('streams', () => {
    calls = mcp.stop(port.stopBudget.runningMs);
  });
  closers.set('calls', () => calls);
  closers.set('readiness', () => container.get(Readiness).drain());
  const stopJobs = startJobs(container);
  const stopIntegrityJob = startIntegrityJob(container, stores);
  closers.set('jobs', () => {
    stopIntegrityJob();
    return stopJobs(port.stopBudget.deliveriesMs);
  });
  const http = container.get(HttpClient);
  closers.set('outbound', () => {
    // Aborted early, so that callers waiting for a hanging provider get an answer instead of a dropped connection.
    setTimeout(() => http.abort(), port.stopBudget.outboundMs).unref();
  });
  closers.set('receipts', async () => {
    await Promise.all([
      container.get(NoteReceipts).settled(),
      container.get(tokens.stores).grants.settled(),
      container.get(tokens.stores).sessions.settled(),
      container.get(RecordActivity).run(),
    ]);
  });

  return {
    listener: requests.listener,
    dispatcher: clientDispatcher(mcp.dispatcher, mcp.lines, container.get(IdentifyCaller)),
    baseUrl,
    adminEmail: settings.ADMIN_EMAIL,
    firstPassword: firstUser.madePassword,
    notes,
    listen: async () => {
      const address = await port.serve(listener);
      await stores.stores.serverFacts.replace(addressFact, `${address.host}:${address.port}`);
      return address;
    },
    stop: () => closeAll(closers),
  };
}

/** The port of the settings, opened either early or by `listen`. */
class Port {
  readonly #settings: Settings;
  readonly #closers: Closers;
  #listening: Listening | null = null;
  #drainMs = 0;

  constructor(settings: Settings, closers: Closers) {
    this.#settings = settings;
    this.#closers = closers;
  }

  /** The number of the open port; that of the settings when it is not open. */
  get number(): number {
    return this.#listening?.port ?? this.#settings.PORT;
  }

  /** The time limits of a stop, after the drain of a port that serves. */
  get stopBudget(): StopBudget {
    return stopBudgetAfter(this.#drainMs);
  }

  async open(): Promise<Listening> {
    const { HOST: host, PORT: port } = this.#settings;
    const listening = this.#listening ?? (await listen(host, port, streamRoom(this.#settings.MAX_STREAMS).connections));
    this.#listening = listening;
    this.#closers.set('server', () => listening.close(this.stopBudget.runningMs));
    return listening;
  }

  async serve(listener: RequestListener): Promise<Readonly<{ host: string; port: number }>> {
    const { port, serve, drain } = await this.open();
    serve(listener);
    this.#drainMs = this.#settings.drainMs;
    this.#closers.set('drain', () => drain(this.#drainMs));
    return { host: this.#settings.HOST, port };
  }
}

/**
 * Connects the automation user to the notes app of the settings; without one, serves the team's vault to all users.
 * Returns where the notes are.
 */
async function openNotes({
  settings,
  closers,
  container,
}: Readonly<{
  settings: Settings;
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
    await connectVault(ports, userId, {
      url: settings.VAULT_URL,
      key: settings.VAULT_API_KEY ?? '',
      verifySsl: settings.VAULT_VERIFY_TLS ?? true,
    });
    return settings.VAULT_URL;
  }
  await forgetSetVault(ports, userId);
  const vault = await serveVault(container, { settings, port: vaultPort(settings) });
  closers.set('vault', () => vault.close());
  return settings.vaultDir;
}

async function listenerOf(container: Container, runtime: Runtime): Promise<RequestListener> {
  const { settings, baseUrl, listensOnLoopback } = runtime;
  const mcp = await container.getAsync(McpEndpoint);
  const metrics = container.get(PrometheusMetrics);
  return buildApp({
    routeGroups: [
      ...[mcpRoutes, rootRoutes].map((routes) => routes(mcp, { mayCall: container.get(tokens.mayCall) })),
      await container.getAsync(tokens.serviceRoutes),
      container.get(tokens.authRoutes),
      container.get(tokens.connectionRoutes),
      container.get(tokens.deliveryRoutes),
      container.get(tokens.reactionRoutes),
      container.get(tokens.peopleRoutes),
      container.get(tokens.approvalRoutes),
    ],
    waitingFor: (user) => container.get(DecideApproval).count(user),
    attentionFor: (user) => container.get(Attention).count(user),
    identifyCaller: container.get(IdentifyCaller),
    logger: container.get(tokens.logger),
    tracer: container.get(tokens.tracer),
    unreadable: container.get(tokens.unreadableRows),
    onAbort: () => metrics.aborted(),
    settings: {
      baseUrl,
      listensOnLoopback,
      allowedOrigins: settings.ALLOWED_ORIGINS,
      oauthMetadata: settings.OAUTH_METADATA,
      trustProxy: settings.TRUST_PROXY,
    },
  });
}
