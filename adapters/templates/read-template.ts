import { isMap, isScalar, isSeq, LineCounter, parseDocument } from 'yaml';
import { executableCode } from '#domain/notes/executable-code.ts';
import type { FrontmatterValue } from '#domain/notes/frontmatter.ts';
import { type NoteTemplate, type TemplateKind, templateNames } from '#domain/notes/templates.ts';
import { err, ok, type Result } from '#domain/shared/result.ts';

/** An error in a template, with its line in the file, from 1. */
type TemplateError = Readonly<{ line: number; message: string }>;

const fences = /^---[ \t]*\r?\n([\s\S]*?)^---[ \t]*(?:\r?\n|$)/m;

/**
 * Parses a template file: a frontmatter block with `path`, where new notes are created, and the team's own keys; then
 * the text of a new note. All errors are reported at once.
 */
export function readTemplate(kind: TemplateKind, text: string): Result<NoteTemplate, readonly TemplateError[]> {
  const match = fences.exec(text);
  if (match === null || match.index !== 0) {
    return err([{ line: 1, message: 'must begin with ---, then `path: …`, then --- on a line of its own' }]);
  }
  const [block, yaml = ''] = match;
  const { path, frontmatter, errors } = readBlock(kind, yaml);
  const body = text.slice(block.length).replaceAll('\r\n', '\n');
  const firstLine = block.split('\n').length;
  const all = [...errors, ...unknownNames(kind, body, firstLine), ...namesThatRun(body, firstLine)];
  return path === null || all.length > 0 ? err(all) : ok({ path, frontmatter, body });
}

function readBlock(kind: TemplateKind, yaml: string) {
  const lines = new LineCounter();
  const document = parseDocument(yaml, { lineCounter: lines });
  const lineOf = (offset: number | undefined) => lines.linePos(offset ?? 0).line + 1;
  const errors: TemplateError[] = document.errors.map(({ message, pos }) => ({
    line: lineOf(pos[0]),
    message: message.split('\n')[0] ?? '',
  }));
  const pairs = isMap(document.contents) ? document.contents.items : [];
  const frontmatter: Record<string, FrontmatterValue> = {};
  let path: string | null = null;
  for (const pair of pairs) {
    const line = lineOf(offsetOf(pair.key));
    const key = isScalar(pair.key) ? String(pair.key.value) : '';
    const value = plainValue(pair.value);
    if (key === 'path') {
      errors.push(...pathErrors(kind, value, line));
      path = typeof value === 'string' ? value : '';
    } else if (value === undefined) {
      errors.push({ line, message: `\`${key}\` must be a text, a number, true, false, empty, or a list of texts` });
    } else frontmatter[key] = value;
  }
  if (path === null && errors.length === 0)
    errors.push({ line: 1, message: 'has no `path`, such as `path: Deals/{title}.md`' });
  return { path, frontmatter, errors };
}

function offsetOf(node: unknown): number | undefined {
  return isScalar(node) ? node.range?.[0] : undefined;
}

/** Converts the node of a key's value; undefined for an unsupported one. */
function plainValue(node: unknown): FrontmatterValue | undefined {
  if (node === null) return null;
  if (isSeq(node)) {
    const texts = node.items.map((item) => (isScalar(item) ? item.value : undefined));
    return texts.every((text) => typeof text === 'string') ? texts : undefined;
  }
  const value = isScalar(node) ? node.value : undefined;
  const isPlain = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
  return isPlain || value === null ? value : undefined;
}

function pathErrors(kind: TemplateKind, value: FrontmatterValue | undefined, line: number): readonly TemplateError[] {
  if (typeof value !== 'string') return [{ line, message: '`path` must be a text, such as `path: "{title}.md"`' }];
  const names = value.split('/');
  const isSafe = names.every((name) => name !== '' && name !== '.' && name !== '..') && !value.includes('\\');
  return [
    ...(value.endsWith('.md') ? [] : [{ line, message: '`path` must end in .md' }]),
    ...(isSafe ? [] : [{ line, message: '`path` must lead from the top of the vault, without empty names, . or ..' }]),
    ...(/\{\w+\}/.test(value) ? [] : [{ line, message: '`path` must hold a {name}: each note needs its own' }]),
    ...unknownNames(kind, value, line),
  ];
}

function unknownNames(kind: TemplateKind, text: string, firstLine: number): readonly TemplateError[] {
  const known: readonly string[] = templateNames[kind];
  return text
    .split('\n')
    .flatMap((line, index) =>
      [...line.matchAll(/\{(\w+)\}/g)].flatMap(([, name = '']) =>
        known.includes(name)
          ? []
          : [{ line: firstLine + index, message: `{${name}} is not known here; there are {${known.join('}, {')}}` }],
      ),
    );
}

/**
 * Reports placeholders in code that a notes app runs: external values would be executed there, however they are
 * escaped.
 */
function namesThatRun(body: string, firstLine: number): readonly TemplateError[] {
  return executableCode(body).flatMap(({ line, code }) =>
    [...code.matchAll(/\{\w+\}/g)].map(([name]) => ({
      line: firstLine + line,
      message: `${name} is inside code that a notes app runs, so its value would run, too; move it outside`,
    })),
  );
}

/** Formats a template as a file for people to edit. */
export function templateText(kind: TemplateKind, { path, body }: NoteTemplate): string {
  return [
    '---',
    `# New notes of this kind are created from this file, which is read when the server starts.`,
    `# {${templateNames[kind].join('}, {')}} are filled in. Keys other than \`path\` go into the frontmatter of new notes.`,
    `path: ${JSON.stringify(path)}`,
    '---',
    body,
  ].join('\n');
}
