import { afterEach, describe, expect, it } from 'vitest';
import type { Provider } from '#adapters/services/definitions/provider.ts';
import { recipesOver } from '#adapters/services/requests/recipe-rows.ts';
import { rows } from '#adapters/services/vault/rows.ts';
import type { Outcome } from '#domain/operations/outcome.ts';
import { HttpClient } from '#infrastructure/http/http-client.ts';
import { onlyTokens, tokenRecord } from '#test/support/connections/token-record.ts';
import { type LoopbackServer, serveOnLoopback } from '#test/support/network/loopback-server.ts';
import { operationsOver } from '#test/support/services/operations-over.ts';
import { trackerProvider, vaultProvider } from '#test/support/services/providers.ts';

/** How a provider treats one request: with a status and a body, or by breaking the connection. */
type Treatment = Readonly<{ status: number; body?: string }> | 'breaks';

const json = (data: unknown): Treatment => ({ status: 200, body: JSON.stringify(data) });
const issue = { teamId: 't1', title: 'A' };

/** Operations of the vault that do more than their names say: they write two notes, or read one first. */
const recipe = recipesOver(rows);
const recipes = {
  'notes.two': recipe('write', 'Writes two notes', {}, {}, async (call) => {
    const first = await call('notes.put', { path: 'A.md', content: 'A' });
    return first.ok ? call('notes.put', { path: 'B.md', content: 'B' }) : first;
  }),
  'notes.copy': recipe('write', 'Reads a note and writes another', {}, {}, async (call) => {
    const read = await call('notes.read', { path: 'A.md' });
    return read.ok ? call('notes.put', { path: 'B.md', content: 'B' }) : read;
  }),
} as const;

let server: LoopbackServer | undefined;
const http = new HttpClient(() => 0);

afterEach(async () => {
  await server?.close();
});

/** The outcome of a call whose requests are treated so in turn, each sent once. */
async function outcomeOf(
  service: 'tracker' | 'vault',
  name: string,
  input: Readonly<Record<string, unknown>>,
  ...treatments: readonly Treatment[]
): Promise<Outcome> {
  let requests = 0;
  server = await serveOnLoopback((request, response) => {
    const treatment = treatments[requests] ?? { status: 204 };
    requests += 1;
    if (treatment === 'breaks') request.socket.destroy();
    else response.writeHead(treatment.status, { 'content-type': 'application/json' }).end(treatment.body ?? '{}');
  });
  const { url } = server;
  const tracker = { dialect: 'neutral', url: `${url}/graphql`, authorizeUrl: null, tokenUrl: null } as const;
  const vault = vaultProvider('neutral');
  const providers: readonly Provider[] = [
    trackerProvider(tracker),
    { ...vault, listed: { ...vault.listed, ...recipes }, operations: { ...vault.operations, ...recipes } },
  ];
  const record = tokenRecord(service, { extra: service === 'vault' ? { base_url: url } : {} });
  const caller = operationsOver({ providers, tokens: onlyTokens(record), http });
  const outcome = await caller.call({ userId: 1, service, name, input, maxTries: 1 });
  await server.close();
  return outcome;
}

describe('the result of a failed call', () => {
  it.each([
    ['is refused', { status: 400 }, 'yes'],
    ['is refused by a 401', { status: 401 }, 'yes'],
    ['meets a limit', { status: 429 }, 'yes'],
    ['meets a service that takes nothing now', { status: 503 }, 'yes'],
    [
      'is answered with errors alone',
      json({ errors: [{ message: 'No such team', extensions: { code: 'INVALID_INPUT' } }] }),
      'yes',
    ],
    ['meets an error of the service', { status: 500 }, 'unknown'],
    ['gets no answer from behind a gateway', { status: 504 }, 'unknown'],
    ['is answered with what is no JSON', { status: 200, body: '<html>' }, 'unknown'],
    ['gets no answer', 'breaks', 'unknown'],
  ] as const)('whose request %s: %j, sent: %s (OP-018)', async (_, treatment, sent) => {
    expect(await outcomeOf('tracker', 'issues.create', issue, treatment)).toMatchObject({ ok: false, sent });
  });

  it('says that it was never sent (OP-018)', async () => {
    expect(await outcomeOf('tracker', 'issues.create', {})).toMatchObject({ reason: 'invalid_input', sent: 'no' });
    expect(await outcomeOf('tracker', 'issues.remake', {})).toMatchObject({ reason: 'invalid_input', sent: 'no' });
  });
});

describe('the result of an operation with several requests', () => {
  it('is unknown once a part of it took effect (OP-018)', async () => {
    for (const second of [{ status: 400 }, { status: 503 }, 'breaks'] as const) {
      expect(await outcomeOf('vault', 'notes.two', {}, { status: 204 }, second)).toMatchObject({ sent: 'unknown' });
    }
    expect(await outcomeOf('vault', 'notes.two', {}, { status: 400 })).toMatchObject({ sent: 'yes' });
    expect(await outcomeOf('vault', 'notes.two', {}, 'breaks')).toMatchObject({ sent: 'unknown' });
  });

  it('counts what only reads as not sent (OP-018)', async () => {
    const read = { status: 200, body: '"text"' };
    expect(await outcomeOf('vault', 'notes.copy', {}, 'breaks')).toMatchObject({ reason: 'unavailable', sent: 'no' });
    expect(await outcomeOf('vault', 'notes.copy', {}, { status: 500 })).toMatchObject({ sent: 'no' });
    expect(await outcomeOf('vault', 'notes.copy', {}, read, { status: 403 })).toMatchObject({ sent: 'yes' });
    expect(await outcomeOf('vault', 'notes.copy', {}, read, 'breaks')).toMatchObject({ sent: 'unknown' });
    const named = { team: 'ENG', title: 'A' };
    expect(await outcomeOf('tracker', 'issues.make', named, 'breaks')).toMatchObject({ sent: 'no' });
  });
});
