import { execFile } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { deriveKey } from '#infrastructure/crypto/derive-key.ts';
import { JweSessionTokens } from '#infrastructure/crypto/jwe-session-tokens.ts';
import { personalToken, startSalesCrmEmulator } from '#test/emulators/sales-crm/emulator.ts';
import { programEnvironment } from '#test/support/server/program-environment.ts';
import { startServer, temporaryDataDir } from '#test/support/server/server-process.ts';
import { testedProgram } from '#test/support/server/tested-program.ts';

const run = promisify(execFile);
const report = z.object({
  findings: z.array(z.object({ mark: z.string(), what: z.string() })),
  vendors: z.array(
    z.object({
      service: z.string(),
      userId: z.number().nullable(),
      problem: z.string().nullable(),
      results: z.array(z.object({ question: z.string(), answer: z.string() })),
    }),
  ),
});

it('npm run doctor -- --live asks the connected vendors by reading, beside the server, without secrets (CLI-006)', async () => {
  const crm = await startSalesCrmEmulator({ dialect: 'pipedrive', retryWaitsMs: [] });
  const { dataDir } = await temporaryDataDir();
  const settings = {
    DATA_DIR: dataDir,
    SALES_CRM_DIALECT: 'pipedrive',
    SALES_CRM_URL: crm.url,
    SIGNING_DIALECT: 'pandadoc',
    PRIVATE_ADDRESSES: 'on',
  };
  const server = await startServer(settings);
  try {
    const secret = (await readFile(join(dataDir, 'secret_key_base'), 'utf8')).trim();
    const token = await new JweSessionTokens([deriveKey(secret, 'session')]).seal({ userId: 1, issuedAt: Date.now() });
    const saved = await fetch(`${server.baseUrl}/save`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify({ service: 'sales_crm', auth_method: 'personal_token', access_token: personalToken }),
    });
    expect(saved.status).toBe(200);
    const before = crm.requests.length;
    const script = await testedProgram('bootstrap/cli/doctor.ts');
    const env = { ...programEnvironment(), ...settings, PORT: new URL(server.baseUrl).port };
    const asked = async (...options: readonly string[]) =>
      (await run(process.execPath, [script, '--live', ...options], { cwd: dataDir, env })).stdout;
    const json = await asked('--json');
    const { findings, vendors } = report.parse(JSON.parse(json));
    expect(findings[0]).toEqual({ mark: '✓', what: 'Settings: they fit' });
    const [sales, signing] = vendors;
    expect(sales).toMatchObject({ service: 'sales_crm', userId: 1, problem: null });
    expect(sales?.results.map(({ question }) => question)).toEqual([
      'Does it accept a personal token as the query parameter api_token?',
      'Which headers state its limits?',
      'Do activities have custom fields?',
    ]);
    for (const { answer } of sales?.results ?? []) expect(answer).not.toMatch(/^unknown: (?!there is no)/);
    expect(signing).toMatchObject({ service: 'signing', userId: null, problem: 'nobody is connected', results: [] });
    expect(crm.requests.slice(before).map(({ method }) => method)).toEqual(['GET', 'GET', 'GET']);
    const lines = await asked();
    expect(lines).toContain('Sales CRM (Pipedrive), over the connection of user 1\n');
    expect(lines).toContain('Signing service (PandaDoc): not asked, nobody is connected\n');
    expect(`${json}${lines}`).not.toContain(personalToken);
  } finally {
    await server.end('SIGTERM');
    await crm.close();
    await rm(dataDir, { recursive: true });
  }
});
