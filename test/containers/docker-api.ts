import { spawn } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { until } from '#test/containers/client.ts';
import type { Engine } from '#test/containers/engine.ts';

/** What a program that speaks the Docker API is started with, and the containers that testcontainers has made meanwhile. */
export type DockerApi = Readonly<{ env: NodeJS.ProcessEnv; made: ReadonlySet<string> }>;

/** Runs with the Docker API of the engine: Docker's own, or that of podman, on a socket. */
export async function withDockerApi<Value>(engine: Engine, use: (api: DockerApi) => Promise<Value>): Promise<Value> {
  const socket = join(tmpdir(), `portolan-api-${process.pid}.sock`);
  const address = `unix://${socket}`;
  const service =
    engine.name === 'podman'
      ? spawn('podman', ['system', 'service', '--time=0', address], { env: engine.env, stdio: 'ignore' })
      : null;
  const made = new Set<string>();
  const end = new AbortController();
  const watched = watch(engine, made, end.signal);
  try {
    if (service !== null) await until('the Docker API', () => isServed(engine, address));
    const ports = { TESTCONTAINERS_RYUK_DISABLED: 'true', TESTCONTAINERS_HOST_OVERRIDE: '127.0.0.1' };
    const own = service === null ? {} : { DOCKER_HOST: address, ...ports };
    return await use({ env: { ...engine.env, ...own }, made });
  } finally {
    end.abort();
    await watched;
    service?.kill();
    await rm(socket, { force: true });
  }
}

function isServed(engine: Engine, address: string): Promise<string | null> {
  return engine.run('--url', address, 'version').then(
    () => null,
    (error: unknown) => String(error).slice(0, 200),
  );
}

/** Notes the containers of testcontainers; without systemd podman checks no container's health by itself, so it is asked to. */
async function watch(engine: Engine, made: Set<string>, end: AbortSignal): Promise<void> {
  while (!end.aborted) {
    const label = 'label=org.testcontainers=true';
    const found = await engine.run('ps', '--quiet', '--no-trunc', '--filter', label).catch(() => '');
    for (const id of found.split('\n').filter(Boolean)) {
      made.add(id);
      if (engine.name === 'podman') await engine.run('healthcheck', 'run', id).catch(() => '');
    }
    await delay(500, undefined, { signal: end }).catch(() => undefined);
  }
}
