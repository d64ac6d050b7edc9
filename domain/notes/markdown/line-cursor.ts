const tab = 9;
const space = 32;

/**
 * Reads one line of Markdown by columns: a tab advances to the next multiple of four (CommonMark §2.2). `#column` may
 * lie inside a tab that a list marker has partly consumed.
 */
export class LineCursor {
  readonly #text: string;
  #at = 0;
  #column = 0;
  /** The number of columns already consumed of the tab at `#at`. */
  #used = 0;
  #nonspace = 0;
  #nonspaceColumn = 0;
  /** Start and end of the line in the text, excluding its line ending. */
  start = 0;
  end = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** Moves to the line from `start` to `end`. */
  open(start: number, end: number): void {
    this.start = start;
    this.end = end;
    this.#at = start;
    this.#column = 0;
    this.#used = 0;
    this.#look();
  }

  /** The offset of the next character that is neither space nor tab; the line's end when none is left. */
  get nonspace(): number {
    return this.#nonspace;
  }

  /** The columns of white space up to `nonspace`. */
  get indent(): number {
    return this.#nonspaceColumn - this.#column;
  }

  /** Whether only white space is left. */
  get isBlank(): boolean {
    return this.#nonspace >= this.end;
  }

  /** The code of the next non-blank character; NaN at the end of the line. */
  get code(): number {
    return this.#nonspace < this.end ? this.#text.charCodeAt(this.#nonspace) : Number.NaN;
  }

  /** Consumes at most `columns` columns of white space. */
  takeSpace(columns: number): void {
    let left = Math.min(columns, this.indent);
    while (left > 0) {
      const width = (this.#text.charCodeAt(this.#at) === tab ? 4 - ((this.#column - this.#used) % 4) : 1) - this.#used;
      const taken = Math.min(left, width);
      this.#column += taken;
      left -= taken;
      if (taken === width) {
        this.#at += 1;
        this.#used = 0;
      } else this.#used += taken;
    }
  }

  /** Consumes the white space and the `length` characters after it. */
  take(length: number): void {
    this.#at = this.#nonspace + length;
    this.#column = this.#nonspaceColumn + length;
    this.#used = 0;
    this.#look();
  }

  #look(): void {
    let at = this.#at;
    let column = this.#column - this.#used;
    for (; at < this.end; at += 1) {
      const code = this.#text.charCodeAt(at);
      if (code === space) column += 1;
      else if (code === tab) column += 4 - (column % 4);
      else break;
    }
    this.#nonspace = at;
    this.#nonspaceColumn = column;
  }
}
