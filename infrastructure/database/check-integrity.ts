import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/**
 * Runs in a process of its own, which can be ended at any time: nothing ends SQLite's work in a thread. Reads only, in
 * one transaction, and blocks no writer.
 */
const script = `
const { DatabaseSync } = require('node:sqlite');
const database = new DatabaseSync(process.argv[1], { readOnly: true, timeout: 5000 });
const [row] = database.prepare('pragma integrity_check(1)').all();
process.stdout.write(String(row?.integrity_check));
`;

/**
 * Checks a whole SQLite file beside the server that uses it: compares its indexes with its tables too, which the quick
 * check at the start does not. Returns the first damage found; null when there is none. Rejects when `stop` aborts, and
 * when the file cannot be read.
 */
export async function checkIntegrity(path: string, stop: AbortSignal): Promise<string | null> {
  const options = { signal: stop, env: {}, windowsHide: true };
  const { stdout } = await run(process.execPath, ['--no-warnings', '--eval', script, path], options);
  return stdout === 'ok' ? null : stdout.replaceAll(/\s+/g, ' ').trim();
}
