import { expect, it } from 'vitest';
import type { Departure } from '#application/ports/service-gateway.ts';
import { type Outcome, succeeded } from '#domain/operations/outcome.ts';
import { HttpClient } from '#infrastructure/http/http-client.ts';
import { onlyTokens, tokenRecord } from '#test/support/connections/token-record.ts';
import { operationsOver } from '#test/support/services/operations-over.ts';
import { vaultProvider } from '#test/support/services/providers.ts';

/** The vault's operations over the team's connection, of which `notes.read` is done by the given function. */
function teamsVault(read: () => Outcome | Promise<Outcome>) {
  const local = new Map([['notes.read', read]]);
  const tokens = onlyTokens(tokenRecord('vault', { extra: { embedded: true } }));
  const operations = operationsOver({
    providers: [{ ...vaultProvider('neutral'), local }],
    tokens,
    http: new HttpClient(),
  });
  return (more: Readonly<{ signal?: AbortSignal; departure?: Departure }>) =>
    operations.call({ userId: 1, service: 'vault', name: 'notes.read', input: { path: 'A.md' }, ...more });
}

const never = new AbortController().signal;

it('does a local operation without sending anything', async () => {
  expect(await teamsVault(() => succeeded('text'))({})).toEqual(succeeded('text'));
});

it('does not begin a local operation that is cancelled already, or may begin nothing (INBOX-019)', async () => {
  let begun = 0;
  const read = teamsVault(() => {
    begun += 1;
    return succeeded('text');
  });
  expect(await read({ signal: AbortSignal.abort() })).toMatchObject({ reason: 'unavailable', sent: 'no' });
  expect(await read({ departure: { begin: () => false, cut: never } })).toMatchObject({ sent: 'no' });
  expect(begun).toBe(0);
});

it('keeps no caller waiting who cancels a local operation, and says that it may take effect', async () => {
  const [work, cancel, cut] = [Promise.withResolvers<Outcome>(), new AbortController(), new AbortController()];
  const read = teamsVault(() => work.promise);
  const cancelled = read({ signal: cancel.signal });
  const bound = read({ signal: cancel.signal, departure: { begin: () => true, cut: cut.signal } });
  setImmediate(() => cancel.abort());
  expect(await cancelled).toMatchObject({ reason: 'unavailable', sent: 'unknown' });
  cut.abort();
  expect(await bound).toMatchObject({ reason: 'unavailable', sent: 'unknown' });
});
