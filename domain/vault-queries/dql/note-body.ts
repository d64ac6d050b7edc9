import { splitNote } from '#domain/notes/note-parts.ts';
import { DqlError } from '#domain/vault-queries/dql/dql-scope.ts';
import {
  bracketedFields,
  lineField,
  signedFields,
  type WrittenField,
} from '#domain/vault-queries/dql/inline-fields.ts';

/** An item of a list; a task when it has a status. Lines count from 0. */
export type ListItem = {
  readonly symbol: string;
  /** The character in the box of a task; null for other items. */
  readonly status: string | null;
  readonly line: number;
  readonly indent: number;
  readonly parent: ListItem | null;
  readonly children: ListItem[];
  /** The heading above; null when there is none. */
  readonly section: string | null;
  readonly lines: string[];
};

/** What a query sees in the text of a note. */
export type NoteBody = Readonly<{ fields: readonly WrittenField[]; items: readonly ListItem[] }>;

const maxItems = 20_000;
const maxLine = 4_000;
const item = /^([\t >]*)([-*+]|\d{1,9}[.)])[\t ]/;
const box = /^\[(.)\](?:[\t ]|$)/u;
const mark = /^[\t >]*(`{3,}|~{3,})/;
const heading = /^ {0,3}#{1,6}[\t ]/;

/** Reads the fields and list items of the note at a path, outside of its frontmatter and of code. */
export function readNoteBody(text: string, path: string): NoteBody {
  const { bodyStart } = splitNote(text);
  const reader = new BodyReader(path);
  let line = bodyStart === 0 ? 0 : text.slice(0, bodyStart).split('\n').length - 1;
  for (let start = bodyStart; start < text.length; line += 1) {
    const newline = text.indexOf('\n', start);
    const end = newline === -1 ? text.length : newline;
    reader.read(text.slice(start, Math.min(end, start + maxLine)).trimEnd(), line);
    start = end + 1;
  }
  return reader.body();
}

class BodyReader {
  readonly #path: string;
  readonly #fields: WrittenField[] = [];
  readonly #items: ListItem[] = [];
  #fence: string | null = null;
  #section: string | null = null;
  /** The items that the next one may be in, from the outermost. */
  #open: readonly ListItem[] = [];
  #isAfterBlank = false;

  constructor(path: string) {
    this.#path = path;
  }

  read(line: string, number: number): void {
    const fence = mark.exec(line)?.[1];
    if (this.#fence !== null) {
      if (fence?.startsWith(this.#fence) === true) this.#fence = null;
    } else if (fence !== undefined) this.#fence = fence;
    else if (line.trim() === '') this.#isAfterBlank = true;
    else {
      this.#readText(line, number);
      this.#isAfterBlank = false;
    }
  }

  body(): NoteBody {
    const listed = this.#items.filter(({ status }) => status === null).flatMap(fieldsOfItem);
    return { fields: [...this.#fields, ...listed], items: this.#items };
  }

  #readText(line: string, number: number): void {
    const [marks] = heading.exec(line) ?? [];
    if (marks !== undefined) {
      this.#section = line
        .slice(marks.length)
        .replace(/(?<![\t ])[\t ]+#+$/, '')
        .trim();
      this.#open = [];
    }
    const [start, lead = '', symbol = ''] = marks === undefined ? (item.exec(line) ?? []) : [];
    if (start !== undefined) {
      const text = line.slice(start.length).trim();
      const [checkbox = '', status = null] = box.exec(text) ?? [];
      this.#addItem({ symbol, status, line: number, indent: widthOf(lead) }, text.slice(checkbox.length));
    } else if (marks !== undefined || !this.#continues(line)) this.#addLine(line);
  }

  #addItem(facts: Pick<ListItem, 'symbol' | 'status' | 'line' | 'indent'>, text: string): void {
    if (this.#items.length >= maxItems)
      throw new DqlError(`${this.#path} has more than ${maxItems} list items. Leave it out with FROM.`);
    const around = this.#open.filter(({ indent }) => indent < facts.indent);
    const parent = around.at(-1) ?? null;
    const added: ListItem = { ...facts, parent, children: [], section: this.#section, lines: [text.trim()] };
    parent?.children.push(added);
    this.#items.push(added);
    this.#open = [...around.slice(-50), added];
  }

  /** Adds a line to the item that it continues; false when it continues none. */
  #continues(line: string): boolean {
    const last = this.#open.at(-1);
    const indent = widthOf(/^[\t >]*/.exec(line)?.[0] ?? '');
    if (last === undefined || (this.#isAfterBlank && indent <= last.indent)) {
      this.#open = [];
      return false;
    }
    last.lines.push(line.trim());
    return true;
  }

  #addLine(line: string): void {
    if (!line.includes('::')) return;
    const bracketed = bracketedFields(line.trim());
    const whole = bracketed.length > 0 ? null : lineField(line.trim());
    this.#fields.push(...bracketed, ...(whole === null ? [] : [whole]));
  }
}

const widthOf = (lead: string): number => lead.replaceAll('\t', '    ').length;

/** The fields of a list item, as they are written in it. */
export function fieldsOfItem({ status, lines }: ListItem): readonly WrittenField[] {
  const text = lines.join(' ');
  const fields = [...bracketedFields(text), ...signedFields(text)];
  const whole = status === null && fields.length === 0 ? lineField(text) : null;
  return whole === null ? fields : [whole];
}
