import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ServerProcess, startServer } from '#test/support/server/server-process.ts';
import { testedModule, testedProgram } from '#test/support/server/tested-program.ts';
import { admin, childEnv, post, serverSettings } from '#test/support/webhooks/webhook-server.ts';
import { issuePayload, trackerDelivery } from '#test/support/webhooks/webhook-tracker.ts';

const execute = promisify(execFile);

/** A configuration whose stores are all in another database than that of the settings. */
async function configText(): Promise<string> {
  const [entities, migrations, stores, database] = await Promise.all([
    testedModule('adapters/persistence/entities.ts'),
    testedModule('adapters/persistence/migrations.ts'),
    testedModule('adapters/persistence/sql-stores.ts'),
    testedModule('infrastructure/database/open-database.ts'),
  ]);
  return `
import { entities } from ${JSON.stringify(entities)};
import { migrations } from ${JSON.stringify(migrations)};
import { sqlStores } from ${JSON.stringify(stores)};
import { openDatabase } from ${JSON.stringify(database)};

export default {
  stores: async ({ dataDir }) =>
    sqlStores(await openDatabase({ url: \`sqlite:\${dataDir}/elsewhere.sqlite\`, entities, migrations })),
};
`;
}

const former = 'the former secret of this installation, long enough';
const current = 'the current secret of this installation, long enough';

describe('a configuration that replaces all stores', () => {
  let dataDir: string;
  let settings: Readonly<Record<string, string>>;
  let server: ServerProcess;

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'portolan-config-'));
    const file = join(dataDir, 'mine.config.ts');
    await writeFile(file, await configText());
    settings = { ...serverSettings(dataDir), SECRET_KEY_BASE: former, PORTOLAN_CONFIG: file };
    server = await startServer(settings);
    await post(server.baseUrl, trackerDelivery(issuePayload(Date.now())));
  });
  afterAll(async () => {
    await server.end('SIGTERM');
    await rm(dataDir, { recursive: true, force: true });
  });

  async function run(command: string, words: readonly string[], more: Readonly<Record<string, string>> = {}) {
    const env = childEnv({ ...settings, ...more });
    try {
      const { stdout } = await execute(process.execPath, [await testedProgram(`bootstrap/${command}.ts`), ...words], {
        env,
      });
      return { code: 0, text: stdout };
    } catch (error) {
      const failed = Object(error);
      return { code: Number(failed.code), text: `${failed.stdout}${failed.stderr}` };
    }
  }

  it('is used by every command, and no database is created (CONF-001, CONF-002)', async () => {
    expect((await run('cli/user', ['list'])).text).toContain(admin.email);
    expect((await run('cli/webhooks', ['list'])).text).toMatch(/^1 {2}done .* tracker .* created Issues/);
    const doctor = await run('cli/doctor', []);
    expect(doctor.text).toContain('Store users: from the configuration, ready');
    expect(doctor.text).toContain('Encrypted deliveries: all 1 can be decrypted');
    expect(doctor.text).not.toContain('Database:');
    expect((await fetch(`${server.baseUrl}/readyz`)).status).toBe(200);
    expect(existsSync(join(dataDir, 'elsewhere.sqlite'))).toBe(true);
    expect(existsSync(join(dataDir, 'portolan.sqlite'))).toBe(false);
  });

  it('has its stores’ values re-encrypted (CLI-002, CONF-002)', async () => {
    const both = { SECRET_KEY_BASE: current, SECRET_KEY_BASE_PREVIOUS: former };
    expect((await run('cli/keys', ['status'], both)).text).toMatch(
      /deliveries\n {2}key [0-9a-f]{8} {2}1 {2}\(former\)/,
    );
    expect((await run('cli/keys', ['rotate'], both)).text).toContain('deliveries: 1 re-encrypted');
    expect((await run('cli/webhooks', ['show', '1'], { SECRET_KEY_BASE: current })).text).toContain('"action"');
  });

  it('ends start, commands and stdio with one sentence when it is invalid (CONF-001, CONF-004)', async () => {
    const file = join(dataDir, 'wrong.config.ts');
    await writeFile(file, 'export default { stores: () => ({ user: {} }), sinks: 1 };');
    const wrong = { PORTOLAN_CONFIG: file };
    const sentence = 'wrong.config.ts: sinks: the configuration has no such member. Did you mean sink?';
    for (const command of ['main', 'stdio', 'cli/user', 'cli/keys', 'cli/webhooks']) {
      const words = command.endsWith('keys') ? ['status'] : command.startsWith('cli') ? ['list'] : [];
      const { code, text } = await run(command, words, wrong);
      expect([command, code, text.trim().split('\n').at(-1)]).toEqual([command, 1, expect.stringContaining(sentence)]);
    }
    const doctor = await run('cli/doctor', [], wrong);
    expect([doctor.code, doctor.text]).toEqual([1, expect.stringContaining(`✗ Configuration: ${sentence}`)]);
  });
});
