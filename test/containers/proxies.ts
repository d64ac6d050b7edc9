import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Target, until, untilReady } from '#test/containers/client.ts';
import { type Project, upCompose } from '#test/containers/compose.ts';
import type { Engine } from '#test/containers/engine.ts';
import { tokenBy } from '#test/containers/one-container.ts';
import type { Stand } from '#test/containers/row.ts';

const domain = 'portolan.localhost';
const settings = { RATE_LIMITS: 'off' };

/** Runs with a Compose file of docs/compose up, and removes it; its logs are kept when that fails. */
export async function withProject<Value>(
  stand: Stand,
  name: 'one-server' | 'three-servers',
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

/** The Caddy of a project, and the certificate that it made for itself; `secret` is that of the servers. */
export async function behindCaddy(engine: Engine, project: Project, secret: string): Promise<Target> {
  const certificate = '/data/caddy/pki/authorities/local/root.crt';
  let ca = '';
  await until(certificate, async () => {
    ca = await engine.run('exec', project.container('caddy'), 'cat', certificate).catch(() => '');
    return ca === '' ? 'it is not there' : null;
  });
  const target = { url: `https://${domain}`, token: await tokenBy(secret), ca: `${ca}\n` };
  await untilReady(target);
  return target;
}

/** The secret of three servers. */
export function secretOf(project: Project): Promise<string> {
  return readFile(join(project.folder, 'secrets/secret_key_base'), 'utf8');
}

/** Runs with nginx before the three servers, as docs/running/nginx.conf and docs/scaling.md have it, on a port of its own. */
export async function withNginx<Value>(
  { engine, images }: Stand,
  project: Project,
  use: (target: Target) => Promise<Value>,
): Promise<Value> {
  await writeFile(join(project.folder, 'nginx.conf'), await nginxConf(engine, project));
  const name = project.container('nginx');
  const mount = `${project.folder}/nginx.conf:/etc/nginx/nginx.conf:ro`;
  const temporary = ['/tmp', '/var/lib/nginx', '/var/cache/nginx', '/var/log/nginx'].flatMap((path) => [
    '--tmpfs',
    path,
  ]);
  const network = [`--network=${project.network}`, '--publish', '127.0.0.1:3901:3901'];
  const image = images.CADDY_IMAGE ?? 'nginx:1.29-alpine';
  await engine.run('run', '--detach', '--name', name, ...network, ...temporary, '--volume', mount, image, 'nginx');
  try {
    const target = { url: `http://${domain}:3901`, token: await tokenBy(await secretOf(project)) };
    await untilReady(target);
    return await use(target);
  } catch (error) {
    const said = (await engine.logs(name).catch(String)).slice(-3_000);
    throw new Error(`${error instanceof Error ? error.message : String(error)}\nnginx: ${said}`, { cause: error });
  } finally {
    await engine.run('rm', '--force', '--time=1', name);
  }
}

/** The two documents in one, without TLS, and with the DNS server of this engine's networks. */
async function nginxConf(engine: Engine, project: Project): Promise<string> {
  const upstream = /^```nginx\n(upstream [^`]*)```$/m.exec(await readFile('docs/scaling.md', 'utf8'))?.[1] ?? '';
  const names = await engine.run('exec', project.container('portolan-1'), 'cat', '/etc/resolv.conf');
  const site = (await readFile('docs/running/nginx.conf', 'utf8'))
    .replace(/^upstream [^}]*\}$/m, upstream)
    .replace('resolver 127.0.0.11', `resolver ${/^nameserver (\S+)$/m.exec(names)?.[1] ?? '127.0.0.11'}`)
    .replace(/^server \{\n {4}listen 80;[^}]*\}$/m, '')
    .replace('listen 443 ssl;', 'listen 3901;')
    .replaceAll(/^ *ssl_.*$/gm, '')
    .replace('server_name portolan.example.com;', `server_name ${domain};`)
    .replace('$scheme', 'https');
  const outside = 'daemon off; error_log stderr; pid /tmp/nginx.pid; events { worker_connections 1024; }';
  return `${outside}\nhttp {\naccess_log off;\n${site}\n}\n`;
}
