import { execFile } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { openAsBlob } from 'node:fs';
import { open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { SignedIn } from '#test/demo/signed-in.ts';
import { isLong } from '#test/support/form.ts';
import { startServer, temporaryDataDir } from '#test/support/server/server-process.ts';
import { openReceivingProvider } from '#test/support/services/receiving-provider.ts';

const run = promisify(execFile);
const mebibyte = 1 << 20;
const size = 200 * mebibyte;
/** What the process may grow by at its peak: the part of a file that is held, buffers on the way, and garbage. */
const growthBytes = 100 * mebibyte;
const admin = { email: 'admin@localhost', password: 'the password of the tests' };

/** A file of 200 MB that does not compress to nothing, and what its bytes hash to. */
async function largeFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  const file = await open(path, 'w');
  const block = randomBytes(mebibyte);
  for (let written = 0; written < size; written += block.length) {
    block.writeUInt32BE(written, 0);
    hash.update(block);
    await file.write(block);
  }
  await file.close();
  return hash.digest('hex');
}

/** The largest memory that a process has had so far, in bytes; null where the system does not report it. */
async function peakOf(pid: number): Promise<number | null> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const kibibytes = /VmHWM:\s+(\d+)/.exec(status)?.[1];
  return kibibytes === undefined ? null : Number(kibibytes) * 1024;
}

it('a file of 200 MB is uploaded in constant memory, as a form and as the body (REST-007)', {
  timeout: 240_000,
}, async () => {
  const provider = await openReceivingProvider();
  const { dataDir, remove } = await temporaryDataDir();
  const server = await startServer({
    DATA_DIR: dataDir,
    ADMIN_PASSWORD: admin.password,
    SALES_CRM_URL: provider.url,
    WEBHOOK_REGISTRATION: 'off',
  });
  const person = await SignedIn.to(server.baseUrl, admin);
  const key = { service: 'sales_crm', auth_method: 'personal_token', access_token: 'a-key' };
  await person.call('POST', '/save', key);
  const path = join(dataDir, 'large.bin');
  const sha256 = await largeFile(path);
  const before = await peakOf(server.pid);

  const form = new FormData();
  form.append('deal_id', '8');
  form.append('file', await openAsBlob(path), 'large.bin');
  const byFetch = await person.fetch('/api/sales_crm/files', { method: 'POST', body: form });
  expect([byFetch.status, await byFetch.text()]).toEqual([200, expect.any(String)]);

  const cookie = `user=${person.cookie('user')}`;
  const url = `${server.baseUrl}/api/sales_crm/files`;
  const curl = (...given: string[]) =>
    run('curl', ['-sS', '-o', join(dataDir, 'out'), '-w', '%{http_code}', '-H', `Cookie: ${cookie}`, ...given]);
  const hasCurl = await run('curl', ['--version']).then(
    () => true,
    () => false,
  );
  if (hasCurl) {
    // A second form: fetch has sent one.
    if (isLong) expect((await curl('-F', 'deal_id=8', '-F', `file=@${path}`, url)).stdout).toBe('200');
    const type = 'Content-Type: application/octet-stream';
    const raw = await curl('-H', type, '-X', 'POST', '-T', path, `${url}?deal_id=8&file_name=large.bin`);
    expect(raw.stdout).toBe('200');
  }

  const file = { field: 'file', name: 'large.bin', bytes: size, sha256 };
  const one = { fields: { deal_id: '8' }, files: [file], isWhole: true };
  expect(provider.received).toMatchObject(Array.from({ length: hasCurl ? (isLong ? 3 : 2) : 1 }, () => one));
  const after = await peakOf(server.pid);
  if (before !== null && after !== null) expect(after - before).toBeLessThan(growthBytes);

  expect(await server.end('SIGTERM')).toBe(0);
  await provider.close();
  await remove();
});
