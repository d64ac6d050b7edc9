import { parseAst } from 'rolldown/parseAst';
import type { SourceFile } from '#test/architecture/layer-rules.ts';

/** A regular expression in a source file; `pattern` is null where it is built of more than constants of that file. */
export type FoundRegex = Readonly<{ path: string; line: number; code: string; pattern: string | null; flags: string }>;

type Node = Readonly<{ type: string; start: number; end: number }> & Readonly<Record<string, unknown>>;

/** The methods of texts that make a regular expression of a text. */
const matching = new Set(['match', 'matchAll', 'search']);

/** All regular expressions of a file: literals, `new RegExp(…)`, and texts that are matched. */
export function regexesIn({ path, text }: SourceFile): readonly FoundRegex[] {
  const program = parseAst(text, { lang: 'ts' });
  const constants = new Map<string, Node>();
  const found: FoundRegex[] = [];
  walk(program, (node) => {
    const [id, init] = [node['id'], node['init']];
    if (node.type === 'VariableDeclarator' && isNode(id) && isNode(init)) constants.set(String(id['name']), init);
  });
  walk(program, (node) => {
    const built = regexOf(node, constants);
    if (built === null) return;
    const line = text.slice(0, node.start).split('\n').length;
    found.push({ path, line, code: text.slice(node.start, node.end), ...built });
  });
  return found;
}

type Built = Readonly<{ pattern: string | null; flags: string }>;

function regexOf(node: Node, constants: ReadonlyMap<string, Node>): Built | null {
  if (node.type === 'Literal') return literalOf(node);
  if (node.type !== 'NewExpression' && node.type !== 'CallExpression') return null;
  const [callee, first, second] = [node['callee'], ...listOf(node['arguments'])];
  if (!isNode(callee)) return null;
  const method = callee.type === 'MemberExpression' && isNode(callee['property']) ? callee['property']['name'] : null;
  const isMatched = typeof method === 'string' && matching.has(method) && textOf(first, new Map()) !== null;
  if (callee['name'] !== 'RegExp' && !isMatched) return null;
  return { pattern: textOf(first, constants), flags: textOf(second, constants) ?? '' };
}

function literalOf(node: Node): Built | null {
  const regex = node['regex'];
  if (typeof regex !== 'object' || regex === null || !('pattern' in regex) || !('flags' in regex)) return null;
  return { pattern: String(regex.pattern), flags: String(regex.flags) };
}

/** The text of an expression that consists of constants; null of any other. */
function textOf(node: unknown, constants: ReadonlyMap<string, Node>): string | null {
  if (!isNode(node)) return null;
  if (node.type === 'Literal') return typeof node['value'] === 'string' ? node['value'] : null;
  if (node.type === 'Identifier') return textOf(constants.get(String(node['name'])), constants);
  if (node.type === 'MemberExpression' && isNode(node['property']) && node['property']['name'] === 'source') {
    const regex = isNode(node['object']) ? constants.get(String(node['object']['name'])) : undefined;
    return regex === undefined ? null : (literalOf(regex)?.pattern ?? null);
  }
  if (node.type !== 'TemplateLiteral') return null;
  const parts = listOf(node['expressions']).map((part) => textOf(part, constants));
  const texts = listOf(node['quasis']).map((quasi) => cookedOf(quasi));
  if (parts.includes(null)) return null;
  return texts.map((text, index) => text + (parts[index] ?? '')).join('');
}

function cookedOf(quasi: unknown): string {
  const value = isNode(quasi) ? quasi['value'] : null;
  return typeof value === 'object' && value !== null && 'cooked' in value ? String(value.cooked) : '';
}

function walk(value: unknown, visit: (node: Node) => void): void {
  if (Array.isArray(value)) for (const item of value) walk(item, visit);
  else if (typeof value === 'object' && value !== null) {
    if (isNode(value)) visit(value);
    for (const member of Object.values(value)) walk(member, visit);
  }
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value;
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
