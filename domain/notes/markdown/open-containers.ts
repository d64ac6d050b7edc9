import { blockIdAt } from '#domain/notes/markdown/block-id.ts';
import type { Block } from '#domain/notes/markdown/markdown-scan.ts';

/** A list item or quotation to open; `list` is the code of its list's marker, 0 for a quotation. */
export type NewContainer = Readonly<{ kind: 'quote' | 'item'; width: number; start: number; list: number }>;

type Span = { start: number; end: number; list: number };
type Container = Readonly<{
  kind: 'root' | NewContainer['kind'];
  /** The number of columns by which the list item's lines are indented. */
  width: number;
  start: number;
  list: number;
}> & {
  hasContent: boolean;
  /** The end of its last non-blank line. */
  end: number;
  /** The block before the open one; null when there is none. */
  last: Span | null;
};

const maxNamed = 20_000;

/**
 * The stack of open list items and quotations, with the document at the bottom, and the blocks with an id found so far.
 */
export class OpenContainers {
  /** The blocks by their ids. */
  readonly named = new Map<string, Block>();
  readonly #text: string;
  readonly #open: Container[] = [{ kind: 'root', width: 0, start: 0, list: 0, hasContent: true, end: 0, last: null }];

  constructor(text: string) {
    this.#text = text;
  }

  /** The number of open containers. */
  get depth(): number {
    return this.#open.length;
  }

  /** The innermost container. */
  get top(): Container {
    const top = this.#open.at(-1);
    if (top === undefined) throw new Error('The whole text is always open');
    return top;
  }

  /** Whether a paragraph that starts now is the list item's own text. */
  get isAtItemStart(): boolean {
    return this.top.kind === 'item' && this.top.last === null;
  }

  /** Returns the container at that depth; the document is at 0. */
  at(depth: number): Container | undefined {
    return this.#open[depth];
  }

  /** Opens a container on a line that ends at `end`. */
  push(container: NewContainer, end: number): void {
    this.top.hasContent = true;
    this.#open.push({ ...container, hasContent: false, end, last: null });
    this.reach(end);
  }

  /** Extends all open containers to `end`. */
  reach(end: number): void {
    for (const container of this.#open) container.end = end;
  }

  /** Closes the containers from `depth` on. */
  close(depth: number): void {
    while (this.#open.length > depth) {
      const { start, end, list } = this.top;
      this.#open.pop();
      this.keep({ start, end, list });
    }
  }

  /** Records a block as the last one of its container; items of one list are merged into one block. */
  keep(span: Span): void {
    const { top } = this;
    const isNext = span.list !== 0 && top.last?.list === span.list;
    top.last = isNext && top.last !== null ? { ...span, start: top.last.start } : span;
  }

  /**
   * Records a paragraph whose last line starts at `lastLine`. An id at its end names the paragraph, or the list item
   * whose text it is; an id on its own names the block before it.
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

/** Returns the start of the line that contains `at`. */
export function lineStart(text: string, at: number): number {
  let start = at;
  while (start > 0 && text.charCodeAt(start - 1) !== 10 && text.charCodeAt(start - 1) !== 13) start -= 1;
  return start;
}

function withoutLineEnd(text: string, lineStartAt: number): number {
  const end = text.charCodeAt(lineStartAt - 1) === 10 ? lineStartAt - 1 : lineStartAt;
  return text.charCodeAt(end - 1) === 13 ? end - 1 : end;
}
