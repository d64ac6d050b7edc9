// Names the packages of all platforms in package-lock.json, when the registry that it was made with has those of some only:
// `npm run lock`, after a dependency was added. test/architecture/lock-file.test.ts says when it is due.
import { readFile, writeFile } from 'node:fs/promises';
import { lockSchema, missingPlatforms, withPlatforms } from '#test/support/packages/lock-file.ts';

const path = 'package-lock.json';
const lock = lockSchema.parse(JSON.parse(await readFile(path, 'utf8')));
await writeFile(path, `${JSON.stringify(withPlatforms(lock), null, 2)}\n`);
process.stdout.write(`${missingPlatforms(lock).length} packages added\n`);
