import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cp, mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { until } from '#test/containers/client.ts';
import type { Engine, Images } from '#test/containers/engine.ts';

const serviceSchema = z.strictObject({
  image: z.string(),
  build: z.unknown().optional(),
  restart: z.string(),
  read_only: z.boolean(),
  cap_drop: z.array(z.string()),
  cap_add: z.array(z.string()).default([]),
  security_opt: z.array(z.string()),
  pids_limit: z.number(),
  mem_limit: z.string(),
  logging: z.unknown().optional(),
  init: z.boolean().default(false),
  user: z.string().optional(),
  stop_grace_period: z.string().optional(),
  tmpfs: z.array(z.string()).default([]),
  environment: z.record(z.string(), z.string()).default({}),
  secrets: z.array(z.string()).default([]),
  volumes: z.array(z.string()).default([]),
  ports: z.array(z.string()).default([]),
  depends_on: z.record(z.string(), z.unknown()).default({}),
  healthcheck: z.object({ test: z.array(z.string()) }).optional(),
});
const composeSchema = z.looseObject({ services: z.record(z.string(), serviceSchema) });

type Service = z.infer<typeof serviceSchema>;

/** A Compose file whose containers run. */
export type Project = Readonly<{
  /** The folder with its secrets. */
  folder: string;
  /** The network of its containers. */
  network: string;
  /** The container of a service. */
  container(service: string): string;
  /** Writes what the containers have logged to a file, and returns its path. */
  keepLogs(): Promise<string>;
  remove(): Promise<void>;
}>;

/** How a Compose file is run: under this name, with these variables, and settings of the servers besides the file's. */
export type ComposeOptions = Readonly<{
  name: string;
  images: Images;
  variables: Readonly<Record<string, string>>;
  settings: Readonly<Record<string, string>>;
}>;

/**
 * Runs what a Compose file of docs/compose says, container by container in the order in which they depend on each other,
 * with secrets that its script makes. So it needs no Compose, whose versions differ.
 */
export async function upCompose(engine: Engine, path: string, options: ComposeOptions): Promise<Project> {
  const { name, images, variables } = options;
  const folder = join(tmpdir(), `${name}-${process.pid}`);
  const text = filled(readFileSync(path, 'utf8'), { ...images, ...variables });
  const { services } = composeSchema.parse(parse(text, { merge: true }));
  const container = (service: string): string => `${name}-${service}`;
  const remove = async (): Promise<void> => {
    for (const service of Object.keys(services))
      await engine.run('rm', '--force', '--time=1', '--volumes', container(service)).catch(() => '');
    const volumes = Object.values(services).flatMap((service) => volumesOf(service, options).map(([volume]) => volume));
    for (const volume of new Set(volumes))
      if (!volume.startsWith('/')) await engine.run('volume', 'rm', '--force', volume).catch(() => '');
    await engine.run('network', 'rm', name).catch(() => '');
    await rm(folder, { recursive: true, force: true });
  };
  const keepLogs = async (): Promise<string> => {
    const file = join(tmpdir(), `${name}.log`);
    await writeFile(file, await logsOf(engine, Object.keys(services).map(container)));
    return file;
  };
  await remove();
  await mkdir(folder, { recursive: true });
  await cp(join(dirname(path), 'Caddyfile'), join(folder, 'Caddyfile'));
  execFileSync('sh', [resolve('docs/compose/make-secrets.sh')], { cwd: folder });
  await engine.run('network', 'create', name);
  try {
    const started = new Set<string>();
    const start = async (key: string): Promise<void> => {
      const service = services[key];
      if (service === undefined || started.has(key)) return;
      started.add(key);
      for (const needed of Object.keys(service.depends_on)) await start(needed);
      await engine.run(...runArguments(key, service, { ...options, folder }));
      await until(`${key} healthy`, () => healthOf(engine, container(key), service));
    };
    for (const key of Object.keys(services)) await start(key);
  } catch (error) {
    await keepLogs();
    await remove();
    throw error;
  }
  return { folder, network: name, container, keepLogs, remove };
}

/** Puts values in place of `${NAME}`, `${NAME:-default}` and `${NAME:?why}`. */
function filled(text: string, values: Readonly<Record<string, string | undefined>>): string {
  return text.replaceAll(/\$\{(\w+)(?::-([^}]*)|:\?[^}]*)?\}/g, (_, name: string, fallback?: string) => {
    const value = values[name] ?? fallback;
    if (value === undefined) throw new Error(`${name} is not given`);
    return value;
  });
}

function volumesOf({ volumes }: Service, { name }: ComposeOptions): readonly (readonly [from: string, to: string])[] {
  return volumes.map((text) => {
    const [from = '', ...to] = text.split(':');
    return [from.startsWith('.') ? from : `${name}-${from}`, to.join(':')] as const;
  });
}

function runArguments(
  key: string,
  service: Service,
  options: ComposeOptions & Readonly<{ folder: string }>,
): readonly string[] {
  const { name, folder, settings } = options;
  const isServer = service.image.includes('portolan:');
  const environment = { ...service.environment, ...(isServer ? settings : {}) };
  const mounts = volumesOf(service, options).map(
    ([from, to]) => `${from.startsWith('.') ? resolve(folder, from) : from}:${to}`,
  );
  const secrets = service.secrets.map((secret) => `${folder}/secrets/${secret}:/run/secrets/${secret}:ro`);
  return [
    'run',
    '--detach',
    `--name=${name}-${key}`,
    `--network=${name}`,
    `--network-alias=${key}`,
    ...(service.read_only ? ['--read-only'] : []),
    ...(service.init ? ['--init'] : []),
    ...(service.user === undefined ? [] : [`--user=${service.user}`]),
    ...service.cap_drop.map((one) => `--cap-drop=${one}`),
    ...service.cap_add.map((one) => `--cap-add=${one}`),
    ...service.security_opt.map((one) => `--security-opt=${one.replace(/:true$/, '')}`),
    `--pids-limit=${service.pids_limit}`,
    `--memory=${service.mem_limit}`,
    ...service.tmpfs.flatMap((one) => ['--tmpfs', one]),
    ...Object.entries(environment).flatMap(([variable, value]) => ['--env', `${variable}=${value}`]),
    ...[...mounts, ...secrets].flatMap((one) => ['--volume', one]),
    ...service.ports.filter((port) => !port.endsWith('/udp')).flatMap((port) => ['--publish', `127.0.0.1:${port}`]),
    service.image,
  ];
}

/** Returns why a container is not healthy yet; null when it is, or has no check of its own. */
async function healthOf(engine: Engine, container: string, { healthcheck, image }: Service): Promise<string | null> {
  const isUp = await engine.run('inspect', '--format', '{{.State.Running}} {{.State.ExitCode}}', container);
  if (!isUp.startsWith('true'))
    throw new Error(`${container} ended (${isUp}): ${(await logsOf(engine, [container])).slice(-1_500)}`);
  const check = healthcheck?.test[1] ?? (image.includes('portolan:') ? serverCheck : null);
  if (check === null) return null;
  return engine.run('exec', container, 'sh', '-c', check).then(
    () => null,
    (error: unknown) => String(error).slice(0, 200),
  );
}

const serverCheck = `node -e "fetch('http://127.0.0.1:3000/readyz').then(({ status }) => process.exit(status === 200 ? 0 : 1), () => process.exit(1))"`;

async function logsOf(engine: Engine, containers: readonly string[]): Promise<string> {
  const logs = containers.map(async (one) => `== ${one}\n${await engine.logs(one).catch(String)}\n`);
  return (await Promise.all(logs)).join('');
}
