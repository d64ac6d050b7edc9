import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type Loaded, lostNotes, startLoad, type Target, until, untilReady } from '#test/containers/client.ts';
import { type Project, upCompose } from '#test/containers/compose.ts';
import type { Engine } from '#test/containers/engine.ts';
import { tokenBy } from '#test/containers/image-rows.ts';
import { demand, type Row, type Stand } from '#test/containers/row.ts';

const perSecond = 40;
const domain = 'portolan.localhost';
const servers = ['portolan-1', 'portolan-2', 'portolan-3'] as const;
const settings = { RATE_LIMITS: 'off' };

/** Runs with a Compose file up, and removes it. */
async function withProject<Value>(
  stand: Stand,
  name: string,
  use: (project: Project) => Promise<Value>,
): Promise<Value> {
  const variables = { DOMAIN: domain, ADMIN_EMAIL: 'ann@example.com', PORTOLAN_IMAGE: stand.image };
  const options = { name: `portolan-${name}`, images: stand.images, variables, settings };
  const project = await upCompose(stand.engine, `docs/compose/${name}/compose.yaml`, options);
  try {
    return await use(project);
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error);
    throw new Error(`${said} (logs: ${await project.keepLogs()})`, { cause: error });
  } finally {
    await project.remove();
  }
}

/** The proxy of a project, and the certificate that it made for itself. */
async function behindCaddy(engine: Engine, project: Project, secret: string): Promise<Target> {
  const url = `https://${domain}`;
  const certificate = '/data/caddy/pki/authorities/local/root.crt';
  const ca = await engineCat(engine, project.container('caddy'), certificate);
  const target = { url, token: await tokenBy(secret), ca };
  await untilReady(target);
  return target;
}

async function engineCat(engine: Engine, container: string, path: string): Promise<string> {
  let text = '';
  await until(path, async () => {
    text = await engine.run('exec', container, 'cat', path).catch(() => '');
    return text === '' ? 'it is not there' : null;
  });
  return `${text}\n`;
}

/** Restarts each server, one after the other, as soon as the one before is ready. */
async function restartAll(engine: Engine, project: Project): Promise<void> {
  for (const server of servers) {
    await engine.run('stop', '--time=15', project.container(server));
    await engine.run('start', project.container(server));
    await until(`${server} ready`, () => isReady(engine, project.container(server)));
    // The proxy asks every two seconds.
    await delay(3_000);
  }
}

function isReady(engine: Engine, container: string): Promise<string | null> {
  const ask =
    "fetch('http://127.0.0.1:3000/readyz').then(({ status }) => process.exit(status === 200 ? 0 : 1), () => process.exit(1))";
  return engine.run('exec', container, 'node', '-e', ask).then(
    () => null,
    (error: unknown) => String(error),
  );
}

async function demandNothingLost(target: Target, { written }: Loaded): Promise<void> {
  const lost = await lostNotes(target, written);
  demand(lost.length === 0, `${lost.length} acknowledged notes cannot be read: ${lost.slice(0, 3).join('; ')}`);
}

/** Calls each server until its connections and caches are there: what a first call takes is not what the rows are about. */
async function warmUp(target: Target): Promise<void> {
  const load = startLoad(target, perSecond);
  await load.until(200);
  await load.stop();
}

async function rolling(target: Target, engine: Engine, project: Project): Promise<string> {
  await warmUp(target);
  const load = startLoad(target, perSecond);
  await delay(3_000);
  await restartAll(engine, project);
  await load.until(4_000);
  const loaded = await load.stop();
  const { calls, failed, written } = loaded;
  demand(failed.length === 0, `${failed.length} of ${calls} failed: ${failed.slice(0, 5).join('; ')}`);
  await demandNothingLost(target, loaded);
  return `0 of ${calls} calls failed at ${perSecond} a second while each of three servers was restarted; ${written.length} notes written and read`;
}

/** nginx before the servers, as docs/running/nginx.conf and docs/scaling.md have it, on its own port. */
async function startNginx(engine: Engine, project: Project, image: string): Promise<Target> {
  const upstream = /^```nginx\n(upstream [^`]*)```$/m.exec(await readFile('docs/scaling.md', 'utf8'))?.[1] ?? '';
  const site = (await readFile('docs/running/nginx.conf', 'utf8'))
    .replace(/^upstream [^}]*\}$/m, upstream)
    .replace(/^server \{\n {4}listen 80;[^}]*\}$/m, '')
    .replace('listen 443 ssl;', 'listen 3901;')
    .replaceAll(/^ *ssl_.*$/gm, '')
    .replace('server_name portolan.example.com;', `server_name ${domain};`)
    .replace('$scheme', 'https');
  const text = `daemon off; error_log stderr; pid /tmp/nginx.pid; events { worker_connections 1024; } http { access_log off; ${site} }`;
  await writeFile(join(project.folder, 'nginx.conf'), text);
  const name = project.container('nginx');
  const mount = `${project.folder}/nginx.conf:/etc/nginx/nginx.conf:ro`;
  const temporary = ['--tmpfs', '/tmp', '--tmpfs', '/var/lib/nginx', '--tmpfs', '/var/log/nginx'];
  const network = ['--network', 'portolan-three-servers', '--publish', '127.0.0.1:3901:3901'];
  await engine.run('run', '--detach', '--name', name, ...network, ...temporary, '--volume', mount, image, 'nginx');
  const target = {
    url: `http://${domain}:3901`,
    token: await tokenBy(await readFile(join(project.folder, 'secrets/secret_key_base'), 'utf8')),
  };
  await untilReady(target).catch(async (error: unknown) => {
    throw new Error(`${String(error)}: ${await engine.logs(name).catch(String)}`);
  });
  return target;
}

/** What holds of the Compose files. */
export const clusterRows: readonly Row[] = [
  {
    name: 'one-server',
    isLong: true,
    run: async (stand) =>
      withProject(stand, 'one-server', async (project) => {
        const { engine } = stand;
        const secret = await engine.run('exec', project.container('portolan'), 'cat', '/data/secret_key_base');
        const target = await behindCaddy(engine, project, secret);
        const load = startLoad(target, perSecond);
        await load.until(400);
        const loaded = await load.stop();
        demand(loaded.failed.length === 0, loaded.failed.slice(0, 5).join('; '));
        await demandNothingLost(target, loaded);
        return `the Compose file as it is, behind Caddy with TLS: 0 of ${loaded.calls} calls failed at ${perSecond} a second`;
      }),
  },
  {
    name: 'rolling-restart-caddy',
    isLong: true,
    run: async (stand) =>
      withProject(stand, 'three-servers', async (project) => {
        const target = await behindCaddy(
          stand.engine,
          project,
          await readFile(join(project.folder, 'secrets/secret_key_base'), 'utf8'),
        );
        return rolling(target, stand.engine, project);
      }),
  },
  {
    name: 'rolling-restart-nginx',
    isLong: true,
    run: async (stand) =>
      withProject(stand, 'three-servers', async (project) => {
        const target = await startNginx(stand.engine, project, stand.images.CADDY_IMAGE ?? 'nginx:1.29-alpine');
        try {
          return await rolling(target, stand.engine, project);
        } finally {
          await stand.engine.run('rm', '--force', '--time=1', project.container('nginx'));
        }
      }),
  },
  {
    name: 'kill-one-of-three',
    isLong: true,
    run: async (stand) =>
      withProject(stand, 'three-servers', async (project) => {
        const { engine } = stand;
        const target = await behindCaddy(
          engine,
          project,
          await readFile(join(project.folder, 'secrets/secret_key_base'), 'utf8'),
        );
        await warmUp(target);
        const load = startLoad(target, perSecond);
        await delay(5_000);
        await engine.run('kill', '--signal=KILL', project.container('portolan-2'));
        await delay(15_000);
        const loaded = await load.stop();
        const { calls, failed } = loaded;
        const late = failed.filter((one) => Number.parseFloat(one) > 8);
        demand(
          late.length === 0,
          `${late.length} calls failed later than 3 s after the kill: ${late.slice(0, 5).join('; ')}`,
        );
        demand(failed.length <= 60, `${failed.length} of ${calls} failed: ${failed.slice(0, 5).join('; ')}`);
        await demandNothingLost(target, loaded);
        return `${failed.length} of ${calls} calls failed, none later than 3 s after it; every acknowledged note is there`;
      }),
  },
];
