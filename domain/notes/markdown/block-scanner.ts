import { type HtmlEnd, htmlEndOf } from '#domain/notes/markdown/html-block.ts';
import { LineCursor } from '#domain/notes/markdown/line-cursor.ts';
import {
  atxHeading,
  closesFence,
  fenceLength,
  isRule,
  listMark,
  textAfterDefinitions,
  underlineLevel,
} from '#domain/notes/markdown/line-marks.ts';
import type { MarkdownScan, ScannedHeading } from '#domain/notes/markdown/markdown-scan.ts';
import { lineStart, type NewContainer, OpenContainers } from '#domain/notes/markdown/open-containers.ts';

type Leaf =
  | { readonly kind: 'paragraph'; start: number; end: number; lastLine: number; readonly isFirstOfItem: boolean }
  | { readonly kind: 'fence'; readonly code: number; readonly length: number; readonly start: number; end: number }
  | { readonly kind: 'html'; readonly until: HtmlEnd; readonly start: number; end: number }
  | { readonly kind: 'indented'; readonly start: number; end: number };

const maxDepth = 32;
const maxHeadings = 20_000;
const [hash, quote, lessThan] = [35, 62, 60];

/** Scans a text line by line and collects its headings and the blocks that have an id. */
export class BlockScanner {
  readonly #text: string;
  readonly #cursor: LineCursor;
  readonly #headings: ScannedHeading[] = [];
  readonly #open: OpenContainers;
  #leaf: Leaf | null = null;

  constructor(text: string) {
    this.#text = text;
    this.#cursor = new LineCursor(text);
    this.#open = new OpenContainers(text);
  }

  /** Scans the next line, given without its line end. */
  line(start: number, end: number): void {
    this.#cursor.open(start, end);
    const depth = this.#continued();
    const isWhole = depth === this.#open.depth;
    if (isWhole && this.#leaf !== null && this.#continueLeaf(this.#leaf)) return;
    if (this.#start()) return;
    const cursor = this.#cursor;
    if (this.#leaf?.kind === 'paragraph' && !cursor.isBlank && this.#unmatched > 0) {
      // A paragraph continues without the markers of its list or quotation (CommonMark §5.1, lazy continuation).
      this.#lengthen(this.#leaf);
      return;
    }
    this.#closeUnmatched();
    if (cursor.isBlank) {
      if (this.#leaf?.kind === 'paragraph') this.#closeLeaf();
    } else if (this.#leaf?.kind === 'paragraph') this.#lengthen(this.#leaf);
    else this.#begin({ kind: 'paragraph', ...this.#here(), isFirstOfItem: this.#open.isAtItemStart });
  }

  /** Returns the headings and blocks found; call after the last line. */
  finish(): MarkdownScan {
    this.#close(1);
    this.#closeLeaf();
    return { headings: this.#headings, blocks: this.#open.named };
  }

  #unmatched = 0;

  /** Counts the open containers that the line continues with its markers. */
  #continued(): number {
    const cursor = this.#cursor;
    let depth = 1;
    for (; depth < this.#open.depth; depth += 1) {
      const container = this.#open.at(depth);
      if (container === undefined) break;
      if (container.kind === 'quote') {
        if (cursor.indent > 3 || cursor.code !== quote) break;
        cursor.take(1);
        cursor.takeSpace(1);
      } else if (cursor.isBlank) {
        if (!container.hasContent) break;
      } else if (cursor.indent >= container.width) cursor.takeSpace(container.width);
      else break;
    }
    this.#unmatched = this.#open.depth - depth;
    return depth;
  }

  /** Whether the line continues the open fence, HTML block or indented code. */
  #continueLeaf(leaf: Leaf): boolean {
    const { start, end, nonspace, indent, isBlank } = this.#cursor;
    switch (leaf.kind) {
      case 'paragraph':
        return false;
      case 'fence': {
        const isClosed = indent <= 3 && closesFence(this.#text, nonspace, end, leaf);
        this.#touch(leaf);
        if (isClosed) this.#closeLeaf();
        return true;
      }
      case 'html': {
        if (leaf.until === null && isBlank) {
          this.#closeLeaf();
          return false;
        }
        this.#touch(leaf);
        if (leaf.until?.test(this.#text.slice(start, end)) === true) this.#closeLeaf();
        return true;
      }
      case 'indented':
        if (isBlank) return true;
        if (indent < 4) {
          this.#closeLeaf();
          return false;
        }
        this.#touch(leaf);
        return true;
    }
  }

  /** Opens the blocks that start on the line; true when they consume the whole line. */
  #start(): boolean {
    const cursor = this.#cursor;
    const text = this.#text;
    for (;;) {
      if (cursor.isBlank) return false;
      const isParagraph = this.#leaf?.kind === 'paragraph';
      const isInParagraph = isParagraph && this.#unmatched === 0;
      if (cursor.indent >= 4) {
        if (isParagraph) return false;
        this.#closeUnmatched();
        this.#begin({ kind: 'indented', start: cursor.nonspace, end: cursor.end });
        return true;
      }
      const { nonspace: at, end, code } = cursor;
      if (code === quote && this.#open.depth <= maxDepth) {
        this.#push({ kind: 'quote', width: 0, start: at, list: 0 });
        cursor.take(1);
        cursor.takeSpace(1);
        continue;
      }
      if (code === hash) {
        const heading = atxHeading(text, at, end);
        if (heading !== null) {
          this.#closeUnmatched();
          this.#addHeading(heading.text, heading.level, cursor.start, at);
          return true;
        }
      }
      const fence = fenceLength(text, at, end);
      if (fence > 0) {
        this.#closeUnmatched();
        this.#begin({ kind: 'fence', code, length: fence, start: at, end });
        return true;
      }
      if (code === lessThan) {
        const until = htmlEndOf(text.slice(at, end), isParagraph);
        if (until !== undefined) {
          this.#closeUnmatched();
          this.#begin({ kind: 'html', until, start: at, end });
          if (until?.test(text.slice(at, end)) === true) this.#closeLeaf();
          return true;
        }
      }
      if (isInParagraph && this.#underline(underlineLevel(text, at, end))) return true;
      if (isRule(text, at, end)) {
        this.#closeUnmatched();
        this.#closeLeaf();
        this.#open.reach(cursor.end);
        return true;
      }
      const mark = this.#open.depth <= maxDepth ? listMark(text, at, end, isInParagraph) : null;
      if (mark === null) return false;
      const { indent } = cursor;
      const start = at;
      this.#closeUnmatched();
      cursor.take(mark.length);
      const spaces = cursor.indent;
      const isCode = cursor.isBlank || spaces > 4;
      cursor.takeSpace(isCode ? 1 : spaces);
      this.#push({ kind: 'item', width: indent + mark.length + (isCode ? 1 : spaces), start, list: mark.list });
      if (cursor.isBlank) return true;
    }
  }

  /** Turns the open paragraph into a heading; false when it consists only of link definitions. */
  #underline(level: number): boolean {
    const leaf = this.#leaf;
    if (level === 0 || leaf?.kind !== 'paragraph') return false;
    const start = textAfterDefinitions(this.#text, leaf.start, leaf.end);
    if (start >= leaf.end) return false;
    const text = this.#text.slice(start, leaf.end).trim();
    this.#leaf = null;
    this.#addHeading(text, level, lineStart(this.#text, start), start);
    return true;
  }

  #addHeading(text: string, level: number, from: number, start: number): void {
    this.#closeLeaf();
    const { end } = this.#cursor;
    const isKept = this.#open.depth === 1 && this.#headings.length < maxHeadings;
    if (isKept) this.#headings.push({ text, level, from, to: end });
    this.#open.keep({ start, end, list: 0 });
    this.#open.reach(end);
  }

  #push(container: NewContainer): void {
    this.#closeUnmatched();
    this.#closeLeaf();
    this.#open.push(container, this.#cursor.end);
  }

  #begin(leaf: Leaf): void {
    this.#closeLeaf();
    this.#open.top.hasContent = true;
    this.#leaf = leaf;
    this.#open.reach(leaf.end);
  }

  #here(): { start: number; end: number; lastLine: number } {
    const { nonspace, end } = this.#cursor;
    return { start: nonspace, end, lastLine: nonspace };
  }

  #lengthen(leaf: Leaf): void {
    if (leaf.kind === 'paragraph') leaf.lastLine = this.#cursor.nonspace;
    this.#touch(leaf);
  }

  #touch(leaf: Leaf): void {
    leaf.end = this.#cursor.end;
    this.#open.reach(leaf.end);
  }

  #closeUnmatched(): void {
    if (this.#unmatched === 0) return;
    this.#close(this.#open.depth - this.#unmatched);
    this.#unmatched = 0;
  }

  /** Closes the containers from `depth` on. */
  #close(depth: number): void {
    if (this.#open.depth <= depth) return;
    this.#closeLeaf();
    this.#open.close(depth);
  }

  #closeLeaf(): void {
    const leaf = this.#leaf;
    if (leaf === null) return;
    this.#leaf = null;
    if (leaf.kind === 'paragraph') this.#open.keepParagraph(leaf);
    else if (leaf.kind !== 'html') this.#open.keep({ start: leaf.start, end: leaf.end, list: 0 });
  }
}
