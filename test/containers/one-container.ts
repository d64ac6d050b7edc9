import { deriveKey } from '#infrastructure/crypto/derive-key.ts';
import { JweSessionTokens } from '#infrastructure/crypto/jwe-session-tokens.ts';
import { answerOf, callTool, type Target, until, untilReady } from '#test/containers/client.ts';
import type { Engine } from '#test/containers/engine.ts';
import { demand, type Stand } from '#test/containers/row.ts';
import { dealPayload, salesCrmDelivery } from '#test/support/webhooks/webhook-senders.ts';

/** The address at which the container is published. */
export const url = 'http://127.0.0.1:3900';
/** Its first user. */
export const person = { email: 'ann@example.com', password: 'containers and ships' };
const hardening = [
  '--read-only',
  '--tmpfs',
  '/tmp',
  '--cap-drop=ALL',
  '--security-opt=no-new-privileges',
  '--memory=512m',
  '--pids-limit=200',
];

/** A container of one server, whose data is in a volume. */
export type Running = Readonly<{ target: Target; doctor(): Promise<string> }>;

/** Makes a token of the first user, with the secret that the server keeps. */
export async function tokenBy(secret: string): Promise<string> {
  return new JweSessionTokens([deriveKey(secret.trim(), 'session')]).seal({ userId: 1, issuedAt: Date.now() });
}

/** Starts it, with these options of the engine and these settings, and waits until it is ready. */
export async function start(
  engine: Engine,
  image: string,
  more: readonly string[] = [],
  settings: readonly string[] = [],
): Promise<Running> {
  await engine.run('rm', '--force', '--time=1', 'portolan-one').catch(() => '');
  const env = [`BASE_URL=${url}`, `ADMIN_EMAIL=${person.email}`, `ADMIN_PASSWORD=${person.password}`, ...settings];
  const published = ['--publish', '127.0.0.1:3900:3000', '--volume', 'portolan-one:/data'];
  await engine.run(
    'run',
    '--detach',
    '--name',
    'portolan-one',
    ...hardening,
    ...more,
    ...published,
    ...env.flatMap((one) => ['--env', one]),
    image,
  );
  await untilReady({ url, token: '' }).catch(async (error: unknown) => {
    throw new Error(`${String(error)}: ${(await engine.logs('portolan-one')).slice(-1_500)}`);
  });
  const token = await tokenBy(await engine.run('exec', 'portolan-one', 'cat', '/data/secret_key_base'));
  return { target: { url, token }, doctor: () => engine.run('exec', 'portolan-one', 'portolan', 'doctor') };
}

/** Stops it, as an operator does; its exit code, and how long that took. */
export async function stop(engine: Engine): Promise<Readonly<{ code: number; seconds: number }>> {
  const before = Date.now();
  await engine.run('stop', '--time=15', 'portolan-one');
  const seconds = (Date.now() - before) / 1_000;
  return { code: Number(await engine.run('inspect', '--format', '{{.State.ExitCode}}', 'portolan-one')), seconds };
}

/** Removes it, with its volume. */
export async function removeAll({ engine }: Stand): Promise<void> {
  await engine.run('rm', '--force', '--time=1', 'portolan-one').catch(() => '');
  await engine.run('volume', 'rm', '--force', 'portolan-one').catch(() => '');
}

/** Sends the server a change of a deal to this value, and waits until its note has it. */
export async function changeDeal(target: Target, value: number): Promise<void> {
  const payload = dealPayload({ title: 'Of the former release', value }, {}, new Date().toISOString());
  const { headers, body } = salesCrmDelivery(payload);
  const signed = { 'x-salescrm-signature': String(headers['x-salescrm-signature']) };
  const sent = { method: 'POST', headers: { 'content-type': 'application/json', ...signed }, body: Buffer.from(body) };
  const { status } = await fetch(`${url}/webhooks/sales_crm`, sent);
  demand(status === 200, `a delivery was answered by ${status}`);
  await until(`a deal of ${value}`, async () => {
    const { text } = await answerOf(target, 'vault_note_read', { path: 'Deals/Of the former release.md' });
    return text.includes(`value: ${value}`) ? null : text.slice(0, 300);
  });
}

/** Writes a note; null when that succeeds. */
export const write = (target: Target, path: string) => callTool(target, 'vault_note_write', { path, content: 'kept' });
/** Reads a note; null when that succeeds. */
export const read = (target: Target, path: string) => callTool(target, 'vault_note_read', { path });

/** Throws when the doctor found something wrong. */
export async function demandGreen(doctor: string): Promise<void> {
  const wrong = doctor.split('\n').filter((line) => line.startsWith('✗'));
  demand(wrong.length === 0 && doctor.includes('✓ Settings'), `doctor: ${wrong.join('; ') || doctor}`);
}
