import { afterEach, expect, it } from 'vitest';
import { apiKey, openTestVault, type TestVault } from '#test/support/vault/embedded-vault-server.ts';
import { openVaultBehind } from '#test/support/vault/vault-front.ts';
import { answersOf, differencesOf } from '#test/tools/compare-vaults.ts';

const opened: TestVault[] = [];
const open = async (made: Promise<TestVault>) => {
  const vault = await made;
  opened.push(vault);
  return { url: vault.url, key: apiKey };
};
afterEach(async () => {
  await Promise.all(opened.splice(0).map((vault) => vault.close()));
});

it('two embedded vaults do not differ, and the comparison leaves nothing behind', async () => {
  const [first, second] = [await open(openTestVault()), await open(openTestVault())];
  const answers = await answersOf(first);
  expect(answers.filter(({ status }) => typeof status !== 'number')).toEqual([]);
  expect(differencesOf(answers, await answersOf(second))).toEqual([]);
  expect(await (await opened[0]?.ask('GET', '/vault/'))?.json()).toEqual({ files: [] });
});

it('a vault answers within the process as it does over a socket', async () => {
  const bySocket = await answersOf(await open(openTestVault()));
  const { inProcess } = await openTestVault({ listen: null }).then((vault) => {
    opened.push(vault);
    return vault;
  });
  const answers = await answersOf({ url: 'http://vault.invalid', key: apiKey, inProcess });
  expect(answers.filter(({ status }) => typeof status !== 'number')).toEqual([]);
  expect(differencesOf(bySocket, answers)).toEqual([]);
});

it('a vault that answers otherwise is found: by status, code, media type, shape and text', async () => {
  const first = await answersOf(await open(openTestVault()));
  const other = await open(
    openVaultBehind(async (request, pass) => {
      const answer = await pass(request);
      if (answer === null) return null;
      if (request.path === '/commands/') return { ...answer, body: '{"commands":[]}' };
      if (answer.status === 404) return { ...answer, body: answer.body.replace('40400', '40499') };
      if (request.path.endsWith('data.json')) return { ...answer, headers: { 'content-type': 'text/plain' } };
      if (answer.status === 412 || answer.status === 405) return { ...answer, status: 418 };
      return { ...answer, body: answer.body.replace('odd name', 'another') };
    }),
  );
  const found = new Set(differencesOf(first, await answersOf(other)).map(({ what }) => what));
  expect([...found]).toEqual(expect.arrayContaining(['status', 'errorCode', 'type', 'shape', 'text']));
});
