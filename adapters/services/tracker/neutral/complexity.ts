/**
 * Computes a document's complexity points: 0.1 per scalar field, 1 per object, and a connection's nodes multiplied by
 * its page size. `pageSize` is used where the page size is a variable.
 */
export function complexityOf(document: string, pageSize: number): number {
  // Skip the variables, whose default values may contain braces.
  const hasVariables = document.slice(0, document.indexOf('{')).includes('(');
  const start = hasVariables ? document.indexOf(') {') : 0;
  const tokens = [...document.slice(start).matchAll(/\([^()]*\)|[{}]|\w+/g)].map(([token]) => token);
  const opening = tokens.indexOf('{');
  return Math.round(readSelection(tokens, { from: opening + 1, nodes: 1, pageSize }).cost * 10) / 10;
}

type Place = Readonly<{ from: number; nodes: number; pageSize: number }>;
type Read = Readonly<{ cost: number; next: number }>;

/**
 * Computes the cost of the fields from a token to their closing brace; `nodes` is the number of nodes of a connection.
 */
function readSelection(tokens: readonly string[], { from, nodes, pageSize }: Place): Read {
  let cost = 0;
  let at = from;
  while (at < tokens.length && tokens[at] !== '}') {
    const count = tokens[at] === 'nodes' ? nodes : 1;
    const args = tokens[at + 1]?.startsWith('(') === true ? tokens[at + 1] : undefined;
    at += args === undefined ? 1 : 2;
    if (tokens[at] !== '{') {
      cost += 0.1;
      continue;
    }
    const inside = readSelection(tokens, { from: at + 1, nodes: sizeIn(args, pageSize), pageSize });
    cost += (1 + inside.cost) * count;
    at = inside.next;
  }
  return { cost, next: at + 1 };
}

function sizeIn(args: string | undefined, pageSize: number): number {
  const first = /\bfirst: (\$?\w+)/.exec(args ?? '')?.[1];
  if (first === undefined) return 1;
  return first.startsWith('$') ? pageSize : Number(first);
}
