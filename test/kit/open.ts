import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Config } from '#test/kit/config.ts';
import { ConfigFault } from '#test/kit/config.ts';
import { cloudKeys, type Emulators, openEmulators } from '#test/kit/emulators/emulators.ts';
import { type StartedTarget, setClock, startTarget, withPort } from '#test/kit/hooks.ts';
import { Kit } from '#test/kit/kit.ts';
import { connectTo, send } from '#test/kit/wire.ts';

/** A running kit, and how to stop what it started. */
export type OpenKit = Readonly<{ kit: Kit; emulators: Emulators | null; close(): Promise<void> }>;

/** A detour to the target: maps the target's address `baseUrl` to the address that the kit sends requests to. */
export type Front = (baseUrl: string) => Promise<string>;

/** Opens the emulators, starts the target if the config says how, and creates a kit for it. */
export async function openKit(config: Config, front: Front = async (baseUrl) => baseUrl): Promise<OpenKit> {
  const emulators = config.emulators === undefined ? null : await openEmulators(config.emulators.listen);
  const dataDir = await mkdtemp(join(tmpdir(), 'portolan-contract-'));
  let started: StartedTarget | null = null;
  const close = async (): Promise<void> => {
    await started?.stop();
    await emulators?.close();
    await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    const baseUrl = await withPort(config.baseUrl);
    const clockHook = config.hooks.clock === undefined ? null : await withPort(config.hooks.clock);
    const publicUrl = config.publicUrl ?? (await front(baseUrl));
    if (config.publicUrl !== undefined) connectTo(publicUrl, await front(baseUrl));
    const env = environmentOf({ config, baseUrl, publicUrl, clockHook, emulators, dataDir });
    const start = async (): Promise<void> => {
      if (config.hooks.start !== undefined) started = await startTarget(config.hooks.start, baseUrl, env);
    };
    await start();
    if (config.hooks.start === undefined) await demandAnswer(baseUrl);
    if (clockHook !== null) await setClock(clockHook, Date.now());
    const restart = async (): Promise<void> => {
      await started?.stop();
      await start();
      if (clockHook !== null) await setClock(clockHook, Date.now());
    };
    const canRestart = config.hooks.start !== undefined;
    const own = canRestart ? { restart, dataDir } : { restart: null, dataDir: null };
    const kit = new Kit({ config, baseUrl: publicUrl, emulators, clockHook, ...own });
    return { kit, emulators, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function demandAnswer(baseUrl: string): Promise<void> {
  try {
    await send(baseUrl, { path: '/set' });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ConfigFault(
      `baseUrl: nothing answers at ${baseUrl} (${reason}); start the target first, or give hooks.start.`,
    );
  }
}

type Facts = Readonly<{
  config: Config;
  baseUrl: string;
  publicUrl: string;
  clockHook: string | null;
  emulators: Emulators | null;
  /** A folder for this run, which survives restarts of the target. */
  dataDir: string;
}>;

/** The environment of `hooks.start`: where to listen, the user who must be able to sign in, the secrets, and the emulators' addresses. */
function environmentOf({
  config,
  baseUrl,
  publicUrl,
  clockHook,
  emulators,
  dataDir,
}: Facts): Readonly<Record<string, string>> {
  const { hostname, port, protocol } = new URL(baseUrl);
  const named = (name: string, value: string | undefined): Record<string, string> =>
    value === undefined ? {} : { [`CONTRACT_${name}`]: value };
  const services = emulators === null ? [] : cloudKeys.map((key) => [key.toUpperCase(), emulators.cloud[key]] as const);
  return {
    CONTRACT_DATA_DIR: dataDir,
    CONTRACT_BASE_URL: publicUrl,
    CONTRACT_HOST: hostname,
    CONTRACT_PORT: port === '' ? (protocol === 'https:' ? '443' : '80') : port,
    ...named('EMAIL', config.login?.email),
    ...named('PASSWORD', config.login?.password),
    ...named('CLOCK_URL', clockHook ?? undefined),
    ...named('METADATA', config.modes.metadata),
    ...named('CLIENTS', config.modes.clients),
    ...named('STRICT', config.modes.strict),
    ...named('WEBHOOKS', config.modes.webhooks),
    ...Object.assign(
      {},
      ...Object.entries(config.secrets).map(([key, secret]) => named(`${key.toUpperCase()}_SECRET`, secret)),
    ),
    ...Object.assign(
      {},
      ...services.map(([name, { emulator, key }]) => ({
        ...named(`${name}_URL`, emulator.url),
        ...named(`${name}_AUTHORIZE_URL`, `${emulator.url}/oauth/authorize`),
        ...named(`${name}_TOKEN_URL`, `${emulator.url}/oauth/token`),
        ...named(`${name}_KEY`, key),
      })),
    ),
    ...named('VAULT_URL', emulators?.vault.emulator.url),
    ...named('VAULT_KEY', emulators?.vault.key),
  };
}
