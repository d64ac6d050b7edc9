import { execFile, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';

const execute = promisify(execFile);

/** What runs containers: Docker or podman, with the environment that it needs. */
export type Engine = Readonly<{
  name: 'docker' | 'podman';
  /** The environment that the program is called with. */
  env: NodeJS.ProcessEnv;
  /** Runs a command of it and returns what it printed; throws with what it said when it fails. */
  run(...args: readonly string[]): Promise<string>;
  /** What a container has written, on standard output and error. */
  logs(container: string): Promise<string>;
  /** Runs a command of it whose output is shown only when it fails, for long ones. */
  show(...args: readonly string[]): Promise<void>;
}>;

/** The variables that name the images below ours, where none can be had from a registry; else what the files name. */
export type Images = Readonly<Partial<Record<'NODE_IMAGE' | 'POSTGRES_IMAGE' | 'CADDY_IMAGE', string>>>;

/** Makes the engine of a program, which is called with this environment. */
export function engineOf(name: Engine['name'], env: NodeJS.ProcessEnv = process.env): Engine {
  const run = async (...args: readonly string[]): Promise<string> => {
    const options = { env, maxBuffer: 64 * 1024 * 1024 };
    try {
      return (await execute(name, [...args], options)).stdout.trim();
    } catch (error) {
      throw new Error(`${name} ${args.slice(0, 3).join(' ')}: ${saidBy(error).slice(-2_000)}`, { cause: error });
    }
  };
  const show = (...args: readonly string[]): Promise<void> =>
    new Promise((resolve, reject) => {
      const child = spawn(name, [...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
      let said = '';
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (chunk: Buffer) => {
          said = `${said}${chunk.toString()}`.slice(-8_000);
        });
      child.on('error', reject);
      child.on('close', (code) => (code === 0 ? resolve() : reject(new Error(`${name} ${args[0]} failed:\n${said}`))));
    });
  const logs = async (container: string): Promise<string> => {
    const { stdout, stderr } = await execute(name, ['logs', container], { env, maxBuffer: 64 * 1024 * 1024 });
    return `${stdout}${stderr}`;
  };
  return { name, env, run, logs, show };
}

/** Returns the engine that answers on this machine and can have the image below ours; null when none can. */
export async function findEngine(): Promise<Engine | null> {
  for (const name of ['docker', 'podman'] as const) {
    const answers = await execute(name, ['info'], { timeout: 20_000 }).then(
      () => true,
      () => false,
    );
    if (!answers) continue;
    const engine = engineOf(name);
    const base = /^ARG NODE_IMAGE=(.+)$/m.exec(readFileSync('Dockerfile', 'utf8'))?.[1] ?? '';
    const canHave = await engine.run('pull', '--quiet', base).then(
      () => true,
      () => false,
    );
    if (canHave) return engine;
  }
  return null;
}

function saidBy(error: unknown): string {
  const { stderr = '', message = '' } = Object(error);
  return String(stderr || message);
}
