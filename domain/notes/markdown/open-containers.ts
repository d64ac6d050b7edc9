import { blockIdAt } from '#domain/notes/markdown/block-id.ts';
import type { Block } from '#domain/notes/markdown/scan-markdown.ts';

/** A list item or a quotation that begins; `list` is the code of its list's marker, 0 where it is none. */
export type NewContainer = Readonly<{ kind: 'quote' | 'item'; width: number; start: number; list: number }>;

type Span = { start: number; end: number; list: number };
type Container = Readonly<{
  kind: 'root' | NewContainer['kind'];
  /** Columns that a line of a list item is indented by. */
  width: number;
  start: number;
  list: number;
}> & {
  hasContent: boolean;
  /** End of the last line in it that is not blank. */
  end: number;
  /** The block before the one that is open. */
  last: Span | null;
};

const maxNamed = 20_000;

/** The list items and quotations that are open, the whole text first, and the blocks with an id that were found in them. */
export class OpenContainers {
  /** The blocks by their ids. */
  readonly named = new Map<string, Block>();
  readonly #text: string;
  readonly #open: Container[] = [{ kind: 'root', width: 0, start: 0, list: 0, hasContent: true, end: 0, last: null }];

  constructor(text: string) {
    this.#text = text;
  }

  /** How many are open. */
  get depth(): number {
    return this.#open.length;
  }

  /** The innermost. */
  get top(): Container {
    const top = this.#open.at(-1);
    if (top === undefined) throw new Error('The whole text is always open');
    return top;
  }

  /** Whether a paragraph that begins now is the text of a list item itself. */
  get isAtItemStart(): boolean {
    return this.top.kind === 'item' && this.top.last === null;
  }

  /** The one at that depth, the whole text being at 0. */
  at(depth: number): Container | undefined {
    return this.#open[depth];
  }

  /** Opens one, on a line that ends at `end`. */
  push(container: NewContainer, end: number): void {
    this.top.hasContent = true;
    this.#open.push({ ...container, hasContent: false, end, last: null });
    this.reach(end);
  }

  /** All that are open go up to `end`. */
  reach(end: number): void {
    for (const container of this.#open) container.end = end;
  }

  /** Closes those from that depth on. */
  close(depth: number): void {
    while (this.#open.length > depth) {
      const { start, end, list } = this.top;
      this.#open.pop();
      this.keep({ start, end, list });
    }
  }

  /** Takes down a block as the last of its container; items of one list are one block. */
  keep(span: Span): void {
    const { top } = this;
    const isNext = span.list !== 0 && top.last?.list === span.list;
    top.last = isNext && top.last !== null ? { ...span, start: top.last.start } : span;
  }

  /**
   * Takes down a paragraph whose last line starts at `lastLine`. An id at its end names it, or its list item where it is the
   * item's text; one that stands alone names the block before it.
   */
  keepParagraph({
    start,
    end,
    lastLine,
    isFirstOfItem,
  }: Readonly<{ start: number; end: number; lastLine: number; isFirstOfItem: boolean }>): void {
    const id = this.named.size < maxNamed ? blockIdAt(this.#text, lastLine, end) : null;
    if (id === null) this.keep({ start, end, list: 0 });
    else if (id.textEnd > lastLine) {
      this.named.set(id.name, { start: isFirstOfItem ? this.top.start : start, end: id.textEnd });
      this.keep({ start, end: id.textEnd, list: 0 });
    } else if (lastLine > start) {
      const above = withoutLineEnd(this.#text, lineStart(this.#text, lastLine));
      this.named.set(id.name, { start, end: above });
      this.keep({ start, end: above, list: 0 });
    } else this.named.set(id.name, this.top.last ?? { start, end: start });
  }
}

/** Where the line starts that `at` stands in. */
export function lineStart(text: string, at: number): number {
  let start = at;
  while (start > 0 && text.charCodeAt(start - 1) !== 10 && text.charCodeAt(start - 1) !== 13) start -= 1;
  return start;
}

function withoutLineEnd(text: string, lineStartAt: number): number {
  const end = text.charCodeAt(lineStartAt - 1) === 10 ? lineStartAt - 1 : lineStartAt;
  return text.charCodeAt(end - 1) === 13 ? end - 1 : end;
}
