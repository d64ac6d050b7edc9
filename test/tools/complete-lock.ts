// Names the packages of all platforms in package-lock.json, each with the registry's hash, when npm left some out:
// `npm run lock`, after a dependency was added. test/architecture/lock-file.test.ts says when it is due.
// It ends with 1 when the registry does not have one of them.
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import {
  lockSchema,
  missingHashes,
  missingPlatforms,
  withHashes,
  withPlatforms,
} from '#test/support/packages/lock-file.ts';

const run = promisify(execFile);

const path = 'package-lock.json';
const lock = lockSchema.parse(JSON.parse(await readFile(path, 'utf8')));
const named = withPlatforms(lock);
const hashes = new Map<string, string>();
for (const { name, version } of missingHashes(named)) {
  const { stdout } = await run('npm', ['view', `${name}@${version}`, 'dist.integrity']);
  hashes.set(`${name}@${version}`, stdout.trim());
}
const completed = withHashes(named, hashes);
await writeFile(path, `${JSON.stringify(completed, null, 2)}\n`);
process.stdout.write(`${missingPlatforms(lock).length} packages and ${hashes.size} hashes added\n`);
if (missingHashes(completed).length > 0) process.exitCode = 1;
