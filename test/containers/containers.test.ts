import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { clusterRows } from '#test/containers/cluster-rows.ts';
import { imageRows } from '#test/containers/image-rows.ts';
import { obstacle } from '#test/containers/podman-here.ts';
import { suiteRows } from '#test/containers/suite-rows.ts';
import { allRows } from '#test/faults/rows.ts';

const rows = [...imageRows, ...clusterRows, ...suiteRows];
const read = (path: string): string => readFileSync(path, 'utf8');
const documents = ['docs/running/README.md', 'docs/operations.md', 'docs/scaling.md', 'docs/upgrading.md'].map(read);

/** What `npm run containers` or `npm run faults` is cited for, by the names of rows or of the subjects of faults. */
const cited = (by: 'containers' | 'faults', text: string): readonly string[] =>
  [...text.matchAll(new RegExp(`\`${by}\\s([\\w-]+)\``, 'g'))].map(([, name = '']) => name);

describe('npm run containers', () => {
  it('has rows by names of their own, of which CI runs those that take one container (RUN-048)', () => {
    expect(new Set(rows.map(({ name }) => name)).size).toBe(rows.length);
    expect(rows.filter(({ isLong }) => !isLong).map(({ name }) => name)).toEqual(
      expect.arrayContaining(['image-contents', 'hardened-run', 'stop', 'kill', 'replace', 'upgrade']),
    );
    expect(read('.ci/run')).toContain('npm run --silent containers -- --short');
  });

  it('says why it cannot run where it cannot (RUN-048)', async () => {
    const why = await obstacle();
    if (process.platform !== 'linux' || process.getuid?.() !== 0) expect(why).toBe('this is not Linux as root');
    else if (why !== null) expect(why).toMatch(/apt-get|namespaces/);
  });
});

describe('the documents on running', () => {
  it('cite rows of containers that there are, and each of them (RUN-048)', () => {
    const names = rows.map(({ name }) => name);
    const referred = documents.flatMap((text) => cited('containers', text));
    expect(referred.filter((name) => !names.includes(name))).toEqual([]);
    expect(names.filter((name) => !referred.includes(name))).toEqual([]);
  });

  it('cite faults that there are, and each subject of them that concerns who runs a server (RUN-048)', () => {
    const subjects = new Set(allRows.map(({ subject }) => subject));
    const referred = documents.flatMap((text) => cited('faults', text));
    expect(referred.filter((subject) => !subjects.has(subject))).toEqual([]);
    const others = [...subjects].filter((subject) => !referred.includes(subject));
    expect(others).toEqual(['edits', 'undo', 'mcp-servers']);
  });

  it('say of each failure by which row or clause it is held (RUN-048)', () => {
    const clauses = new Set(
      [...read('docs/specification.md').matchAll(/^- \*\*([A-Z]+-\d+)\*\*/gm)].map(([, id]) => id),
    );
    const tables = read('docs/operations.md').match(/(?:^\|.*\n)+/gm) ?? [];
    const cellsOf = (line: string): readonly string[] =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim());
    const ofFailures = tables.filter((table) => /^\| (?:failure|event|cause|input) /.test(table));
    expect(ofFailures.length).toBeGreaterThan(8);
    for (const table of ofFailures) {
      const [head = '', , ...lines] = table.trimEnd().split('\n');
      expect(cellsOf(head).at(-1)).toBe('held by');
      for (const line of lines) {
        expect(cellsOf(line)).toHaveLength(cellsOf(head).length);
        const by = cellsOf(line).at(-1)?.split(', ') ?? [];
        expect(by.filter((one) => !clauses.has(one) && !/^`(?:faults|containers) [\w-]+`$/.test(one))).toEqual([]);
      }
    }
  });
});
