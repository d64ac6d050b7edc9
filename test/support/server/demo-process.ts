import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { programEnvironment } from '#test/support/server/program-environment.ts';
import { testedProgram } from '#test/support/server/tested-program.ts';

/** A directory with a user's own data and settings, and a separate folder for temporary files. */
export type Home = Readonly<{ path: string; temporary: string; remove(): Promise<void> }>;

/** Creates it. Its settings are invalid, so that a program which reads them fails. */
export async function homeWithData(): Promise<Home> {
  const root = await mkdtemp(join(tmpdir(), 'portolan-home-'));
  const [path, temporary] = [join(root, 'home'), join(root, 'tmp')];
  await mkdir(join(path, 'data', 'vault'), { recursive: true });
  await mkdir(temporary);
  await writeFile(join(path, 'data', 'vault', 'Mine.md'), 'my own note\n');
  await writeFile(join(path, '.env'), 'DATA_DIR=./data\nBASE_URL=ftp://nowhere\nTRACKER_URL=no address\n');
  return { path, temporary, remove: () => rm(root, { recursive: true, force: true }) };
}

/** Every file below a folder, by its path, with what it holds. */
export async function filesIn(folder: string): Promise<Readonly<Record<string, string>>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const texts = await Promise.all(
    files.sort().map(async (file) => [file.slice(folder.length + 1), await readFile(file, 'utf8')] as const),
  );
  return Object.fromEntries(texts);
}

/** The demo in a separate process. */
export type DemoProcess = Readonly<{
  output(): string;
  faults(): string;
  /** Waits until it has said this; fails when it ends before. */
  said(words: string): Promise<void>;
  signal(signal: NodeJS.Signals): void;
  /** Its exit code, once it has ended. */
  ended(): Promise<number | null>;
}>;

/** Starts the demo in somebody's directory, with the settings of another server in the environment. */
export async function startDemo(home: Home, args: readonly string[]): Promise<DemoProcess> {
  const env = {
    ...programEnvironment(),
    TMPDIR: home.temporary,
    DATA_DIR: join(home.path, 'data'),
    ADMIN_PASSWORD: 'somebody else’s',
  };
  const script = await testedProgram('test/demo/main.ts');
  const child = spawn(process.execPath, [script, ...args], { cwd: home.path, env: { ...env, PORT: '0' } });
  const closed = once(child, 'close');
  const [output, faults] = [collected(child, 'stdout'), collected(child, 'stderr')];
  return {
    output,
    faults,
    said: async (words) => {
      while (!output().includes(words)) {
        await Promise.race([once(child.stdout, 'data'), closed]);
        const isOver = child.exitCode !== null && !output().includes(words);
        if (isOver) throw new Error(`The demo ended with ${String(child.exitCode)}: ${faults()}`);
      }
    },
    signal: (signal) => void child.kill(signal),
    ended: async () => {
      await closed;
      return child.exitCode;
    },
  };
}

function collected(child: ChildProcess, from: 'stdout' | 'stderr'): () => string {
  let text = '';
  child[from]?.on('data', (chunk: Buffer) => {
    text += chunk.toString();
  });
  return () => text;
}
