import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, renameSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { KeyedQueue } from '#infrastructure/concurrency/keyed-queue.ts';
import { isTemporaryName, writeFileAtomically, writerOf } from '#infrastructure/files/atomic-file.ts';
import { realPathInside } from '#infrastructure/files/inside-folder.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'files-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const within = (root: string, isAway = () => false) => ({ root, isAway });

describe('an atomic write', () => {
  it('creates missing folders below the root, and leaves nothing but the file', async () => {
    await writeFileAtomically(join(folder, 'a/b/c.txt'), Buffer.from('x'), null, within(folder));
    expect(await readFile(join(folder, 'a/b/c.txt'), 'utf8')).toBe('x');
    expect(await readdir(join(folder, 'a/b'))).toEqual(['c.txt']);
  });

  it('creates neither a missing root nor any folder without a root (EMB-020)', async () => {
    const root = join(folder, 'root');
    await expect(writeFileAtomically(join(root, 'a/b.txt'), Buffer.from('x'), null, within(root))).rejects.toThrow(
      /ENOENT/,
    );
    await expect(writeFileAtomically(join(root, 'b.txt'), Buffer.from('x'), null, within(root))).rejects.toThrow(
      /ENOENT/,
    );
    await expect(writeFileAtomically(join(folder, 'a/b.txt'), Buffer.from('x'))).rejects.toThrow(/ENOENT/);
    expect(await readdir(folder)).toEqual([]);
  });

  it('leaves what replaced the root unchanged, with everything copied (EMB-020)', async () => {
    const place = join(folder, 'root');
    await mkdir(place);
    await writeFile(join(place, 'a.txt'), 'old');
    let isAway = false;
    // The folder is replaced by a copy while the file is written next to the other one.
    const replacing = () => {
      if (isAway) return true;
      isAway = true;
      renameSync(place, join(folder, 'moved'));
      cpSync(join(folder, 'moved'), place, { recursive: true });
      return true;
    };
    const write = writeFileAtomically(join(place, 'a.txt'), Buffer.from('new'), undefined, within(place, replacing));
    await expect(write).rejects.toMatchObject({ code: 'ENODEV' });
    expect((await readdir(place)).length).toBe(2);
    expect(await readFile(join(place, 'a.txt'), 'utf8')).toBe('old');
  });

  it('keeps the mode of an existing file', async () => {
    const path = join(folder, 'a.txt');
    await writeFile(path, 'x', { mode: 0o640 });
    await writeFileAtomically(path, Buffer.from('y'));
    expect((await stat(path)).mode & 0o777).toBe(0o640);
  });

  it('leaves the old content and no temporary file when it fails', async () => {
    await mkdir(join(folder, 'taken/by'), { recursive: true });
    await expect(writeFileAtomically(join(folder, 'taken'), Buffer.from('x'))).rejects.toThrow();
    expect(await readdir(folder)).toEqual(['taken']);
  });

  it('uses temporary names that differ from all others', () => {
    expect(['.~AAAAAAAAAAAAAAAA.tmp', '.~short.tmp', 'a.tmp'].map(isTemporaryName)).toEqual([true, false, false]);
    expect(writerOf('.~AAAAAAAAAAAAAAAA.tmp')).toBe('elsewhere');
  });

  it('uses temporary names that distinguish an ended process from a running one', async () => {
    const script = `
      import { writeFileAtomically } from '#infrastructure/files/atomic-file.ts';
      process.stdout.write('x');
      await writeFileAtomically(process.argv[1], Buffer.alloc(400_000_000));
    `;
    const child = spawn(process.execPath, ['--input-type=module', '-e', script, join(folder, 'large.md')]);
    await once(child.stdout, 'data');
    let [name] = await readdir(folder);
    while (name === undefined) [name] = await readdir(folder);
    expect([isTemporaryName(name), writerOf(name)]).toEqual([true, 'running']);
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(writerOf(name)).toBe('ended');
  });
});

describe('a real path inside a folder', () => {
  it('is given for what is there, and for what does not exist yet', async () => {
    await mkdir(join(folder, 'a'));
    expect(await realPathInside(folder, 'a')).toBe(join(folder, 'a'));
    expect(await realPathInside(folder, 'a/b/c.md')).toBe(join(folder, 'a/b/c.md'));
    expect(await realPathInside(folder, '')).toBe(folder);
  });

  it('is null for a link that leads out, nowhere, or in a circle', async () => {
    await symlink(tmpdir(), join(folder, 'out'));
    await symlink(join(folder, 'nothing'), join(folder, 'nowhere'));
    await symlink('circle', join(folder, 'circle'));
    for (const path of ['out', 'out/x.md', 'nowhere', 'nowhere/x', 'circle']) {
      expect(await realPathInside(folder, path), path).toBeNull();
    }
  });

  it('distinguishes folders whose names start alike', async () => {
    await mkdir(`${folder}-other`);
    await symlink(`${folder}-other`, join(folder, 'link'));
    expect(await realPathInside(folder, 'link/x')).toBeNull();
    await rm(`${folder}-other`, { recursive: true });
  });
});

describe('a queue by keys', () => {
  it('runs work of one key in order, and of other keys in parallel', async () => {
    const queue = new KeyedQueue();
    const done: string[] = [];
    const gate = Promise.withResolvers<void>();
    const first = queue.run('a', async () => {
      await gate.promise;
      done.push('a1');
    });
    const second = queue.run('a', async () => void done.push('a2'));
    await queue.run('b', async () => void done.push('b'));
    gate.resolve();
    await Promise.all([first, second]);
    expect(done).toEqual(['b', 'a1', 'a2']);
  });

  it('continues after work that failed, whose caller gets the error', async () => {
    const queue = new KeyedQueue();
    await expect(queue.run('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await queue.run('a', async () => 1)).toBe(1);
    await queue.idle();
  });
});
