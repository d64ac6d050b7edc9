/**
 * What a document costs in complexity points: a tenth for each plain field, one for each object, and the nodes of a
 * connection as often as its page is large. `pageSize` stands for a page whose size is a variable.
 */
export function complexityOf(document: string, pageSize: number): number {
  // The selection begins after the variables, which may have braces of their own in their default values.
  const hasVariables = document.slice(0, document.indexOf('{')).includes('(');
  const start = hasVariables ? document.indexOf(') {') : 0;
  const tokens = [...document.slice(start).matchAll(/\([^()]*\)|[{}]|\w+/g)].map(([token]) => token);
  const opening = tokens.indexOf('{');
  return Math.round(readSelection(tokens, { from: opening + 1, nodes: 1, pageSize }).cost * 10) / 10;
}

type Place = Readonly<{ from: number; nodes: number; pageSize: number }>;
type Read = Readonly<{ cost: number; next: number }>;

/** The cost of the fields from a token to the brace that closes them; `nodes` is how many of them a connection holds. */
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
