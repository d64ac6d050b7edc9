import { setTimeout as delay } from 'node:timers/promises';
import { type Target, until } from '#test/containers/client.ts';
import type { Project } from '#test/containers/compose.ts';
import type { Engine } from '#test/containers/engine.ts';
import { type Loaded, lostNotes, startLoad, textOf } from '#test/containers/load.ts';
import { behindCaddy, secretOf, withNginx, withProject } from '#test/containers/proxies.ts';
import { demand, type Row, type Stand } from '#test/containers/row.ts';

const perSecond = 40;
const needs = ['POSTGRES_IMAGE', 'CADDY_IMAGE'] as const;
const servers = ['portolan-1', 'portolan-2', 'portolan-3'] as const;

/** What is done to three servers under load, through the proxy before them. */
type Trial = (target: Target, engine: Engine, project: Project) => Promise<string>;

const behind: Readonly<Record<'caddy' | 'nginx', (stand: Stand, trial: Trial) => Promise<string>>> = {
  caddy: (stand, trial) =>
    withProject(stand, 'three-servers', async (project) =>
      trial(await behindCaddy(stand.engine, project, await secretOf(project)), stand.engine, project),
    ),
  nginx: (stand, trial) =>
    withProject(stand, 'three-servers', (project) =>
      withNginx(stand, project, (target) => trial(target, stand.engine, project)),
    ),
};

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

/** Restarts each server, one after the other, as soon as the one before is ready. */
const restarted: Trial = async (target, engine, project) => {
  await warmUp(target);
  const began = Date.now();
  const load = startLoad(target, perSecond);
  await delay(3_000);
  for (const server of servers) {
    await engine.run('stop', '--time=15', project.container(server));
    await engine.run('start', project.container(server));
    await until(`${server} ready`, () => isReady(engine, project.container(server)));
  }
  await load.until(4_000);
  const loaded = await load.stop();
  const { calls, failed, slowestMs, written } = loaded;
  demand(failed.length === 0, `${failed.length} of ${calls} failed: ${textOf(failed, began)}`);
  await demandNothingLost(target, loaded);
  return `0 of ${calls} calls failed at ${perSecond} a second while each of three servers was restarted, the slowest took ${slowestMs} ms; ${written.length} notes written and read`;
};

/** Kills one server: a call may fail only if it was on its way while the server ended. */
const killed: Trial = async (target, engine, project) => {
  await warmUp(target);
  const load = startLoad(target, perSecond);
  await load.until(200);
  const before = Date.now();
  await engine.run('kill', '--signal=KILL', project.container('portolan-2'));
  await engine.run('wait', project.container('portolan-2'));
  const after = Date.now();
  await load.until(800);
  const loaded = await load.stop();
  const { calls, failed, slowestMs, written } = loaded;
  const others = failed.filter(({ sentAt, tookMs }) => sentAt > after || sentAt + tookMs < before);
  demand(others.length === 0, `${others.length} calls failed that were not in the server: ${textOf(others, before)}`);
  await demandNothingLost(target, loaded);
  return `${failed.length} of ${calls} calls failed, all of them on their way while the server ended, which took ${after - before} ms; the slowest other took ${slowestMs} ms; ${written.length} notes written and read`;
};

/** What holds of the Compose files. */
export const clusterRows: readonly Row[] = [
  {
    name: 'one-server',
    isLong: true,
    needs: ['CADDY_IMAGE'],
    run: async (stand) =>
      withProject(stand, 'one-server', async (project) => {
        const { engine } = stand;
        const secret = await engine.run('exec', project.container('portolan'), 'cat', '/data/secret_key_base');
        const target = await behindCaddy(engine, project, secret);
        const began = Date.now();
        const load = startLoad(target, perSecond);
        await load.until(200);
        await engine.run('restart', '--time=15', project.container('portolan'));
        await load.until(800);
        const loaded = await load.stop();
        const { calls, failed, slowestMs } = loaded;
        demand(failed.length === 0, `${failed.length} of ${calls} failed: ${textOf(failed, began)}`);
        await demandNothingLost(target, loaded);
        return `the Compose file as it is, behind Caddy with TLS: 0 of ${calls} calls failed at ${perSecond} a second while the server was restarted, the slowest took ${slowestMs} ms`;
      }),
  },
  { name: 'rolling-restart-caddy', isLong: true, needs, run: (stand) => behind.caddy(stand, restarted) },
  { name: 'rolling-restart-nginx', isLong: true, needs, run: (stand) => behind.nginx(stand, restarted) },
  { name: 'kill-one-of-three', isLong: true, needs, run: (stand) => behind.caddy(stand, killed) },
  { name: 'kill-one-of-three-nginx', isLong: true, needs, run: (stand) => behind.nginx(stand, killed) },
];
