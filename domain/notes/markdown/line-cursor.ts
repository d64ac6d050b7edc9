const tab = 9;
const space = 32;

/**
 * Reads one line of Markdown from its start, in columns: a tab reaches to the next column that four divides (CommonMark §2.2). `column`
 * may stand inside a tab of which a list marker has taken a part.
 */
export class LineCursor {
  readonly #text: string;
  #at = 0;
  #column = 0;
  /** Columns of the tab at `#at` that are used up already. */
  #used = 0;
  #nonspace = 0;
  #nonspaceColumn = 0;
  /** Where the line starts and ends in the text, its line end left out. */
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

  /** Where the next character stands that is neither space nor tab; the line's end when none is left. */
  get nonspace(): number {
    return this.#nonspace;
  }

  /** Columns of white space up to there. */
  get indent(): number {
    return this.#nonspaceColumn - this.#column;
  }

  /** Whether only white space is left. */
  get isBlank(): boolean {
    return this.#nonspace >= this.end;
  }

  /** The code of the next character that is no white space; NaN at the end. */
  get code(): number {
    return this.#nonspace < this.end ? this.#text.charCodeAt(this.#nonspace) : Number.NaN;
  }

  /** Takes white space, `columns` of it at most. */
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

  /** Takes the white space, and `length` characters behind it that are none. */
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
