import type { SourceFile } from '#test/architecture/layer-rules.ts';

const openTable = '(?:Readonly<)?Record<string,';
const aliasPattern = new RegExp(String.raw`type (\w+) = ${openTable}`, 'g');

/** The names of types that are tables under any key. */
export function tableTypes(sources: readonly SourceFile[]): readonly string[] {
  return sources.flatMap(({ text }) => [...text.matchAll(aliasPattern)].map(([, name = '']) => name));
}

/**
 * Where a file looks a member up by a key that is no literal, in what it declares as a table under any key
 * (`Record<string, …>`): `own` and `Object.hasOwn` find own members only, `table[key]` finds `constructor` as well. Writing a
 * member is no look-up.
 */
export function openLookUps({ path, text }: SourceFile, tables: readonly string[]): readonly string[] {
  const types = [openTable, ...tables.map((name) => String.raw`${name}\b`)].join('|');
  const declared = [...text.matchAll(new RegExp(String.raw`\b(\w+)\??: (?:${types})`, 'g'))].map(
    ([, name = '']) => name,
  );
  return text.split('\n').flatMap((line, index) => {
    if (/Object\.hasOwn\(/.test(line) || /^\s*(\*|\/\/|\/\*)/.test(line)) return [];
    const found = declared.some((name) => lookUp(name).test(line));
    return found ? [`${path}:${index + 1}: ${line.trim()}`] : [];
  });
}

/** `name[key]` or `name?.[key]`, where the key is no literal, no number, and nothing is assigned to it. */
function lookUp(name: string): RegExp {
  return new RegExp(String.raw`(?<![\w'"])${name}(?:\?\.)?\[(?!['"\d\]]|at\b|index\b)[^\]]+\](?! = )`);
}
