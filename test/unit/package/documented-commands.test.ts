import { execFile } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { copyFile, mkdtemp, mkdtempDisposable, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { isLong } from '#test/support/form.ts';
import { documentedCommands } from '#test/support/packages/documented-commands.ts';
import { programEnvironment } from '#test/support/server/program-environment.ts';

const run = promisify(execFile);
const read = (path: string): string => readFileSync(path, 'utf8');
const { scripts } = z
  .looseObject({ scripts: z.record(z.string(), z.string()) })
  .parse(JSON.parse(read('package.json')));
const documents = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', ...globSync('docs/**/*.md')];
const shells: ReadonlySet<string> = new Set(['sh', 'console', 'bash', 'shell']);

/** The commands of a document's fenced blocks, without prompts, comments and variables; `&&` separates two. */
function commandsOf(text: string): readonly string[] {
  const blocks = [...text.matchAll(/^```(\w+)\n(.*?)^```/gms)].filter(([, language = '']) => shells.has(language));
  return blocks
    .flatMap(([, , block = '']) => block.split('\n'))
    .flatMap((line) =>
      line
        .replace(/^\$ /, '')
        .replace(/(?:^|\s+)#.*$/, '')
        .split(' && '),
    )
    .map((command) => command.trim().replace(/^(?:[A-Z_]+=\S+ )+/, ''))
    .filter(Boolean);
}

const shown = documents.flatMap((path) => commandsOf(read(path)).map((command) => ({ path, command })));

function isMeant(pattern: string, command: string): boolean {
  return pattern.endsWith(' …') ? command.startsWith(pattern.slice(0, -1)) : command === pattern;
}

describe('the commands that documents show', () => {
  it('are each covered by a test, and no row of the table is stale', () => {
    const uncovered = shown.filter(({ command }) => !documentedCommands.some((row) => isMeant(row.command, command)));
    expect(uncovered).toEqual([]);
    const stale = documentedCommands.filter((row) => !shown.some(({ command }) => isMeant(row.command, command)));
    expect(stale).toEqual([]);
    expect(shown.length).toBeGreaterThan(40);
  });

  it('have tests that exist and contain them', () => {
    for (const row of documentedCommands.filter((one) => 'by' in one)) {
      expect([row.command, row.by, existsSync(row.by) && read(row.by).includes(row.text)]).toEqual([
        row.command,
        row.by,
        true,
      ]);
    }
  });

  it('name existing scripts, programs and files', () => {
    for (const { path, command } of shown) {
      const [, own, run] = /\bnpm (?:(start|test)$|run (?:--silent )?([\w:]+))/.exec(command) ?? [];
      const name = own ?? run;
      if (name !== undefined) expect([path, name, Object.keys(scripts).includes(name)]).toEqual([path, name, true]);
      for (const [file] of command.matchAll(/(?<=^|\s)(?:docs|test|bootstrap)\/[\w./-]+/g)) {
        expect([path, file, existsSync(file)]).toEqual([path, file, true]);
      }
    }
    for (const script of Object.values(scripts)) {
      for (const [file] of script.matchAll(/(?:bootstrap|test|node_modules)\/[\w./-]+\.m?[jt]s\b/g)) {
        expect([script, existsSync(file)]).toEqual([script, true]);
      }
      for (const [, program = ''] of script.matchAll(/(?:^|&& )(tsc|biome|oxlint)\b/g)) {
        expect([program, existsSync(join('node_modules/.bin', program))]).toEqual([program, true]);
      }
      for (const [, other = ''] of script.matchAll(/npm run --silent ([\w:]+)/g))
        expect(Object.keys(scripts)).toContain(other);
    }
  });

  it('format existing files: npm run format', async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), 'portolan-format-'));
    const at = (name: string): string => join(folder.path, name);
    for (const name of ['package.json', 'biome.json', '.gitignore']) await copyFile(name, at(name));
    await symlink(resolve('node_modules'), at('node_modules'));
    await writeFile(at('a.ts'), 'export const   text = "x"');
    await run('npm', ['run', '--silent', 'format'], { cwd: folder.path, env: programEnvironment() });
    expect(read(at('a.ts'))).toBe("export const text = 'x';\n");
  });

  it('link from document to document without a dead link', () => {
    for (const path of documents) {
      for (const [, target = ''] of read(path).matchAll(/\]\((?!https?:|mailto:|#)([^)#\s]+)(?:#[^)]*)?\)/g)) {
        expect([path, target, existsSync(join(path, '..', target))]).toEqual([path, target, true]);
      }
    }
  });
});

describe.skipIf(!isLong)('slow commands', () => {
  const rows = documentedCommands.flatMap((row) => ('runs' in row ? [row] : []));
  it.each(rows)('work as documented: $command', async ({ runs, env = {} }) => {
    const dataDir = await mkdtemp(join(tmpdir(), 'portolan-command-'));
    const given = { ...programEnvironment(), ...env, DATA_DIR: dataDir, LOG_LEVEL: 'silent' };
    const { stdout } = await run('npm', ['run', '--silent', ...runs], { env: given });
    await rm(dataDir, { recursive: true, force: true });
    expect(stdout.length).toBeGreaterThan(0);
  });
});
