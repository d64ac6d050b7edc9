import { describe, expect, it } from 'vitest';
import { ReportedFiles } from '#adapters/vault-folder/index/reported-files.ts';

/** Reports, and the paths that are handed over next. */
function gather() {
  let resolve: (paths: readonly string[]) => void = () => undefined;
  const due = new Promise<readonly string[]>((done) => {
    resolve = done;
  });
  return { reported: new ReportedFiles((paths) => resolve(paths)), due };
}

describe('reports of changed files', () => {
  it('are passed on together, without hidden files', async () => {
    const { reported, due } = gather();
    for (const path of ['a.md', '.git/index', 'b/c.md', 'b/.draft.md', 'a.md']) reported.add(path);
    expect(await due).toEqual(['a.md', 'b/c.md']);
  });

  it('are dropped while this process changes the file, once the index has read it', async () => {
    const { reported, due } = gather();
    await reported.during('a.md', async () => {
      reported.add('a.md');
      reported.looking('a.md');
    });
    reported.add('b.md');
    expect(await due).toEqual(['b.md']);
  });

  it('are passed on when they arrive after that reading', async () => {
    const { reported, due } = gather();
    await reported.during('a.md', async () => {
      reported.looking('a.md');
      reported.add('a.md');
    });
    expect(await due).toEqual(['a.md']);
  });

  it('are passed on when the change failed', async () => {
    const { reported, due } = gather();
    const change = reported.during('a.md', async () => {
      reported.add('a.md');
      throw new Error('The disk is full');
    });
    await expect(change).rejects.toThrow('The disk is full');
    expect(await due).toEqual(['a.md']);
  });
});
