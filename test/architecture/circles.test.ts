import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { circlesIn, importsIn } from '#test/architecture/circles.ts';

const rooms = ['domain', 'application', 'adapters', 'infrastructure', 'bootstrap'];
const imports = new Map(
  rooms.flatMap((room) =>
    readdirSync(room, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => join(room, name))
      .map((path) => [path, importsIn(readFileSync(path, 'utf8'))] as const),
  ),
);

describe('files that import one another', () => {
  it('form no import cycle, types included', () => {
    expect([...imports.values()].flat().length).toBeGreaterThan(1_000);
    expect(circlesIn(imports)).toEqual([]);
  });

  it('are found where they form one', () => {
    const planted = new Map([
      ['a.ts', importsIn("import type { B } from '#b.ts';")],
      ['b.ts', importsIn("import {\n  c,\n} from '#c.ts';")],
      ['c.ts', importsIn("const a = await import('#a.ts');")],
      ['d.ts', importsIn("export { c } from '#c.ts';")],
    ]);
    expect(circlesIn(planted)).toEqual([['a.ts', 'b.ts', 'c.ts']]);
  });
});
