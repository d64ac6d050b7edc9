import { isMap, isScalar, isSeq, parseDocument, Scalar } from 'yaml';

/**
 * A word of a YAML value; offsets are into the text, without quotes and a `#` before it. `whole` is the entry with what
 * separates it from others; `isPlain` says that it is a value of its own, without quotes.
 */
export type YamlWord = Readonly<{
  name: string;
  start: number;
  end: number;
  whole: Readonly<{ start: number; end: number }>;
  isPlain: boolean;
}>;

/** The entries of a key's list, or the words of its text; empty for other values and malformed YAML, null for longer YAML. */
export function wordsOfKey(yaml: string, key: string, maxLength = 512 * 1024): readonly YamlWord[] | null {
  if (yaml.length > maxLength) return null;
  const { contents, errors } = parseDocument(yaml, { logLevel: 'silent', uniqueKeys: false });
  if (errors.length > 0 || !isMap(contents)) return [];
  const value = contents.items.findLast((item) => isScalar(item.key) && item.key.value === key)?.value;
  if (isSeq(value)) {
    const nodes = value.items.filter((item) => isScalar(item));
    return nodes.flatMap((node, index) => {
      const range = node.range ?? [0, 0, 0];
      const name = String(node.value).replace(/^#/, '');
      const start = yaml.indexOf(name, range[0]);
      if (name === '' || start === -1 || start + name.length > range[1]) return [];
      const whole = value.flow === true ? inFlow(nodes, index) : lineAround(yaml, range[0]);
      return [{ name, start, end: start + name.length, whole, isPlain: node.type === Scalar.PLAIN }];
    });
  }
  const isText = isScalar(value) && typeof value.value === 'string' && !String(value.type).startsWith('BLOCK');
  return isText ? wordsIn(yaml, value.range ?? [0, 0], value.type === Scalar.PLAIN) : [];
}

type Ranged = Readonly<{ range?: readonly [number, number, number] | null | undefined }>;

/** An entry of `[a, b]` to the start of the next, or from the end of the one before. */
function inFlow(nodes: readonly Ranged[], index: number): YamlWord['whole'] {
  const [start, end] = nodes[index]?.range ?? [0, 0];
  const next = nodes[index + 1]?.range;
  const before = nodes[index - 1]?.range;
  if (next !== undefined && next !== null) return { start, end: next[0] };
  return { start: before?.[1] ?? start, end };
}

function lineAround(yaml: string, at: number): YamlWord['whole'] {
  const next = yaml.indexOf('\n', at);
  const before = yaml.lastIndexOf('\n', at);
  // The last line goes with the line end before it.
  return next === -1 ? { start: Math.max(before, 0), end: yaml.length } : { start: before + 1, end: next + 1 };
}

function wordsIn(yaml: string, range: readonly number[], isPlain: boolean): readonly YamlWord[] {
  const [from = 0, to = 0] = range;
  const words = [...yaml.slice(from, to).matchAll(/[^\s,'"]+/g)];
  return words.map(({ 0: word, index }, at) => {
    const start = from + index + (word.startsWith('#') ? 1 : 0);
    const end = from + index + word.length;
    const [before, next] = [words[at - 1], words[at + 1]];
    const whole =
      next === undefined
        ? { start: before === undefined ? start : from + before.index + before[0].length, end }
        : { start, end: from + next.index };
    return { name: yaml.slice(start, end), start, end, whole, isPlain: isPlain && words.length === 1 };
  });
}
