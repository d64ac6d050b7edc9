/** A field as it is written: its name, and the text of its value. */
export type WrittenField = readonly [name: string, text: string];

const opening = /[[(]([^[\]()\n]+?)::/g;
const maxLine = 32_768;
const maxUnclosed = 20;

/** Finds the fields in brackets of a line: `[due:: 2026-11-25]` and `(due:: 2026-11-25)`. */
export function bracketedFields(line: string): readonly WrittenField[] {
  if (line.length > maxLine || !line.includes('::')) return [];
  const fields: WrittenField[] = [];
  let unclosed = 0;
  opening.lastIndex = 0;
  for (let found = opening.exec(line); found !== null && unclosed < maxUnclosed; found = opening.exec(line)) {
    const [whole, name = ''] = found;
    const end = closingOf(line, opening.lastIndex, whole.charAt(0));
    if (end === null) {
      unclosed += 1;
      continue;
    }
    fields.push([name.trim(), line.slice(opening.lastIndex, end).trim()]);
    opening.lastIndex = end + 1;
  }
  return fields;
}

/** Where the bracket is closed that was opened before `from`; null when it is not. */
function closingOf(line: string, from: number, open: string): number | null {
  const close = open === '[' ? ']' : ')';
  let depth = 0;
  for (let at = from; at < line.length; at += 1) {
    const sign = line.charAt(at);
    if (sign === '\\') at += 1;
    else if (sign === open) depth += 1;
    else if (sign === close) depth -= 1;
    if (depth < 0) return at;
  }
  return null;
}

/** Reads a line that is one field: `**Rating**:: 6`; null for other lines. */
export function lineField(line: string): WrittenField | null {
  const at = line.length > maxLine ? -1 : line.indexOf('::');
  if (at === -1) return null;
  const marked = line
    .slice(0, at)
    .trim()
    .replace(/^[^\p{L}\p{N}\p{Extended_Pictographic}]+/u, '');
  const name = marked.replace(/(?<![_*~`])[_*~`]+$/, '');
  if (name === '' || /[^\p{L}\p{N}\p{M}\p{Cf}\p{Extended_Pictographic}\s_/-]/u.test(name)) return null;
  return [name, line.slice(at + 2).trim()];
}

/** The signs of the Tasks plugin, and the fields that they set. */
const signs: readonly (readonly [RegExp, string])[] = [
  [/(?:\u{1F4C5}|\u{1F4C6}|\u{1F5D3})\uFE0F? *(\d{4}-\d{2}-\d{2})/u, 'due'],
  [/(?:\u{23F3}|\u{231B})\uFE0F? *(\d{4}-\d{2}-\d{2})/u, 'scheduled'],
  [/\u{1F6EB}\uFE0F? *(\d{4}-\d{2}-\d{2})/u, 'start'],
  [/\u{2795}\uFE0F? *(\d{4}-\d{2}-\d{2})/u, 'created'],
  [/\u{2705}\uFE0F? *(\d{4}-\d{2}-\d{2})/u, 'completion'],
  [/\u{274C}\uFE0F? *(\d{4}-\d{2}-\d{2})/u, 'cancelled'],
  [/\u{1F501}\uFE0F? *([A-Za-z0-9][A-Za-z0-9, !]*)/u, 'repeat'],
];

const priorities: readonly (readonly [string, string])[] = [
  ['\u{1F53A}', 'highest'],
  ['\u{23EB}', 'high'],
  ['\u{1F53C}', 'medium'],
  ['\u{1F53D}', 'low'],
  ['\u{23EC}', 'lowest'],
];

/** Finds the fields that signs of the Tasks plugin set: `📅 2026-11-25` the due date, `⏫` the priority. */
export function signedFields(text: string): readonly WrittenField[] {
  if (!/\p{Extended_Pictographic}/u.test(text)) return [];
  const fields = signs.flatMap<WrittenField>(([sign, name]) => {
    const value = sign.exec(text)?.[1];
    return value === undefined ? [] : [[name, value.trim()]];
  });
  const priority = priorities.find(([sign]) => text.includes(sign))?.[1];
  return priority === undefined ? fields : [...fields, ['priority', priority]];
}
