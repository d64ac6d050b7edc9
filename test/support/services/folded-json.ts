const width = 120;

/** Formats JSON for reading: a value that fits on a line is on one line, keys keep their order, and the text ends with a line break. */
export function foldedJson(value: unknown): string {
  return `${folded(value, '', 0)}\n`;
}

/** `taken` is what stands on the line before the value: its key. */
function folded(value: unknown, indent: string, taken: number): string {
  const flat = flatOf(value);
  if (indent.length + taken + flat.length < width || typeof value !== 'object' || value === null) return flat;
  const inner = `${indent}  `;
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  const lines = Array.isArray(value)
    ? value.map((item) => folded(item, inner, 1))
    : membersOf(value).map(([key, member]) => {
        const name = `${JSON.stringify(key)}: `;
        return name + folded(member, inner, name.length + 1);
      });
  return `${open}\n${lines.map((line) => inner + line).join(',\n')}\n${indent}${close}`;
}

function flatOf(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(flatOf).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const members = membersOf(value).map(([key, member]) => `${JSON.stringify(key)}: ${flatOf(member)}`);
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}

function membersOf(value: object): [string, unknown][] {
  return Object.entries(value).filter(([, member]) => member !== undefined);
}
