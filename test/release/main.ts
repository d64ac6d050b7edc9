// Makes the files of a release in `release`: `npm run release`, on the commit that is to be it. It publishes nothing. With
// `-- --dry` it makes the same files from any state of the clone, and only says what would forbid the release.
import { execFile } from 'node:child_process';
import { parseArgs, promisify } from 'node:util';
import { makeRelease } from '#test/release/make-release.ts';

const run = promisify(execFile);
const { dry } = parseArgs({ options: { dry: { type: 'boolean', default: false } } }).values;

const folder = 'release';
const { version, files, errors } = await makeRelease(folder);
const all = [...errors, ...(await stateErrors(version))];
process.stdout.write(`Portolan ${version}, in ${folder}:\n`);
for (const [name, hash] of files) process.stdout.write(`  ${hash}  ${name}\n`);
for (const error of all) process.stdout.write(`${dry ? 'Would be refused' : 'Refused'}: ${error}\n`);
if (all.length === 0) {
  process.stdout.write(`To publish: git tag v${version}; npm publish ${folder}/portolan-${version}.tgz; \
docker build --build-arg REVISION=$(git rev-parse HEAD) --tag portolan:${version} .\n`);
}
if (!dry && all.length > 0) process.exitCode = 1;

/** Returns what of the clone's state forbids a release: changes that are not committed, or a tag that is there. */
async function stateErrors(tagged: string): Promise<readonly string[]> {
  const git = async (...args: string[]): Promise<string> => (await run('git', args)).stdout.trim();
  const isChanged = (await git('status', '--porcelain')) !== '';
  const isTagged = (await git('tag', '--list', `v${tagged}`)) !== '';
  return [
    ...(isChanged ? ['there are changes that are not committed'] : []),
    ...(isTagged ? [`there is a tag v${tagged} already`] : []),
  ];
}
