import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { migrations } from '#adapters/persistence/migrations.ts';
import { readSettings } from '#bootstrap/config/settings.ts';
import { startPortolan } from '#bootstrap/portolan.ts';
import { openLogger } from '#infrastructure/logging/logger.ts';
import { adminPassword } from '#test/support/server/whole-server.ts';

let dataDir: string;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'portolan-stopped-'));
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

/** Starts a server; `stop` counts as `startPortolan` has it. */
function start(stop: AbortSignal) {
  const settings = readSettings({ DATA_DIR: dataDir, PORT: '0', ADMIN_PASSWORD: adminPassword });
  return startPortolan({ settings, logger: openLogger('silent'), version: '0.0.0', stop });
}

/** A signal that aborts when it is looked at for the `times`th time. */
function abortingAtLook(times: number): AbortSignal {
  const stop = new AbortController();
  let looks = 0;
  return Object.assign(stop.signal, {
    throwIfAborted: () => {
      looks += 1;
      if (looks === times) stop.abort('SIGTERM');
      AbortSignal.prototype.throwIfAborted.call(stop.signal);
    },
  });
}

it('a start that is stopped at any step closes what it opened, and the next one succeeds (RUN-025)', async () => {
  const before = process.getActiveResourcesInfo().filter((name) => name === 'TCPServerWrap').length;
  let stopped = 0;
  for (let times = 1; ; times += 1) {
    const started = await start(abortingAtLook(times)).catch(() => null);
    if (started !== null) {
      await started.stop();
      break;
    }
    stopped += 1;
  }
  // Its own steps, and each of the schema changes, of which none was kept before the last.
  expect(stopped).toBeGreaterThan(migrations.length);
  expect(process.getActiveResourcesInfo().filter((name) => name === 'TCPServerWrap')).toHaveLength(before);
});
