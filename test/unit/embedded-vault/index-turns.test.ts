import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { IndexKeeper } from '#adapters/vault-folder/index/index-keeper.ts';
import { Spellings } from '#adapters/vault-folder/notes/spellings.ts';
import { openLogger } from '#infrastructure/logging/logger.ts';

it('lets others have their turn while a folder is read again in which nothing has changed', async () => {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'portolan-turns-')));
  const files = Array.from({ length: 4_096 }, (_, index) => join(root, `${index}.txt`));
  for (const file of files) await writeFile(file, '');
  const keeper = new IndexKeeper(
    { root, spellings: new Spellings(root) },
    { textBudget: 1_000, logger: openLogger('silent') },
  );
  keeper.start();
  while ((await keeper.current().catch(() => null)) === null);
  let [inTurn, most] = [0, 0];
  const watch = { isOn: true };
  const turn = (): void => {
    inTurn = 0;
    if (watch.isOn) setImmediate(turn);
  };
  setImmediate(turn);
  const refresh = keeper.index.refresh.bind(keeper.index);
  Object.defineProperty(keeper.index, 'refresh', {
    value: (path: string) => {
      inTurn += 1;
      most = Math.max(most, inTurn);
      return refresh(path);
    },
  });
  await keeper.rebuild();
  watch.isOn = false;
  expect(most).toBeGreaterThan(0);
  expect(most).toBeLessThan(1_000);
  await keeper.close();
  await rm(root, { recursive: true });
});
