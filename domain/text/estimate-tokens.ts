/**
 * Estimates how many tokens a model reads in a text: within 15 % of OpenAI's o200k encoding for English, German,
 * Japanese and JSON, and rather too many than too few. Splits the text as that encoding does before it encodes (words
 * with the character before them, numbers by three digits, runs of marks), and counts each part by its length.
 */
export function estimateTokens(text: string): number {
  return Math.ceil(scan(text, Number.POSITIVE_INFINITY).tokens);
}

/** Whether a text has at most this many tokens; short ones are not counted, since no character has more than three. */
export function isWithinTokens(text: string, maxTokens: number): boolean {
  return text.length * 3 <= maxTokens || scan(text, Math.floor(maxTokens)).end === text.length;
}

/** Returns the longest start of a text with at most `maxTokens` estimated tokens, without half a character. */
export function startWithin(text: string, maxTokens: number): string {
  const { end } = scan(text, maxTokens);
  const last = text.charCodeAt(end - 1);
  return text.slice(0, end < text.length && last >= 0xd800 && last <= 0xdbff ? end - 1 : end);
}

const space = 0;
const newline = 1;
const lower = 2;
const upper = 3;
const digit = 4;
const mark = 5;
/** A character of a script without words that spaces separate, such as Japanese. */
const ideograph = 6;

const asciiClasses = Uint8Array.from({ length: 128 }, (_, code) => {
  if (code === 9 || code === 32) return space;
  if (code === 10 || code === 13) return newline;
  if (code >= 97 && code <= 122) return lower;
  if (code >= 65 && code <= 90) return upper;
  return code >= 48 && code <= 57 ? digit : mark;
});

function classOf(code: number): number {
  if (code < 128) return asciiClasses[code] ?? mark;
  if (code < 0x2000) return code === 0xa0 ? space : code < 0xc0 ? mark : lower;
  if (code < 0x2e80) return code <= 0x200b ? space : mark;
  return ideograph;
}

/**
 * Adds up the parts of a text while they fit into `maxTokens`; `end` is where the last of these ends. Looks at each character
 * once, since every answer is counted.
 */
function scan(text: string, maxTokens: number): Readonly<{ tokens: number; end: number }> {
  const { length } = text;
  let tokens = 0;
  let start = 0;
  let share = shareOfGerman / 2;
  let code = text.charCodeAt(0);
  let next = classOf(code);
  let isAfterMark = false;
  while (start < length) {
    const kind = next;
    const most = Math.min(length, start + maxPart);
    let end = start;
    let last = kind;
    let codes = 0;
    do {
      last = next;
      codes |= code;
      end += 1;
      // The end of a text is as that of a line.
      code = end < length ? text.charCodeAt(end) : 10;
      next = classOf(code);
    } while (end < most && goesOn(last, next));
    let part = 0;
    if (kind === lower || kind === upper) {
      const beyond = codes < 128 ? 0 : lettersBeyondAscii(text, start, end);
      share += ((beyond > 0 ? 1 : 0) - share) / 100;
      part = tokensOfWord(end - start, beyond, Math.min(1, share / shareOfGerman));
      if (isAfterMark && end - start > 2 && isOneMark(text, start - 1)) part += afterMark;
    } else if (kind === mark) part = tokensOfMarks(text, start, end, next);
    else part = tokensOfOther(end - start, kind, next);
    const sum = tokens + part * reserve;
    if (sum > maxTokens) break;
    tokens = sum;
    isAfterMark = kind === mark && end - start === 1;
    start = end;
  }
  return { tokens, end: start };
}

/** Whether a part whose last character is of one class goes on with one of another. */
function goesOn(last: number, next: number): boolean {
  if (next === last) return next !== ideograph;
  // The ends of lines after marks belong to them.
  return next === lower ? last === upper : next === newline && last === mark;
}

/** What is added to averages, so that an estimate is rather too high. */
const reserve = 1.03;

/**
 * The share of the last words with letters beyond ASCII from which words count as German ones or their like, whose long
 * words take more tokens than English ones; half of it is assumed at the start of a text.
 */
const shareOfGerman = 0.05;

/** The maximum length of a part, in characters; a longer run becomes several. */
const maxPart = 60;

function tokensOfOther(length: number, kind: number, next: number): number {
  if (kind === ideograph) return ideographTokens;
  if (kind === digit) return Math.ceil(length / 3);
  // One space belongs to the word or mark after it.
  return kind === space && length === 1 && next !== newline && next !== digit ? 0 : 1;
}

/** The average tokens of an English word by its number of letters, and how many more a German one takes. */
const wordTokens = [0, 1, 1.01, 1.04, 1.06, 1.08, 1.12, 1.16, 1.2, 1.26, 1.32, 1.4, 1.48, 1.6, 1.75, 2];
const moreTokens = [0, 0, 0, 0.01, 0.04, 0.05, 0.13, 0.26, 0.35, 0.54, 0.63, 0.8, 1.12, 1.1, 1.25, 1.3];
const furtherLetter = 0.25;
/** What a word takes more with the one mark before it, as in `_name`, and with letters beyond ASCII. */
const afterMark = 0.35;
const withBeyond = 0.25;
const ideographTokens = 0.76;

/** `beyond` is the number of its letters beyond ASCII, `german` from 0 to 1 how German the text is. */
function tokensOfWord(length: number, beyond: number, german: number): number {
  const short = Math.min(length, wordTokens.length - 1);
  const usual = (wordTokens[short] ?? 0) + (moreTokens[short] ?? 0) * german + (length - short) * furtherLetter;
  return usual + (beyond === 0 ? 0 : withBeyond + beyond * 0.1);
}

function lettersBeyondAscii(text: string, start: number, end: number): number {
  let count = 0;
  for (let at = start; at < end; at += 1) if (text.charCodeAt(at) >= 128) count += 1;
  return count;
}

function isOneMark(text: string, at: number): boolean {
  return at >= 0 && classOf(text.charCodeAt(at)) === mark && (at === 0 || classOf(text.charCodeAt(at - 1)) !== mark);
}

/** Repeated marks, as in a line of dashes, take little more than one; one mark before a letter belongs to its word. */
function tokensOfMarks(text: string, start: number, end: number, next: number): number {
  const length = end - start;
  if (length === 1 && (next === lower || next === upper)) return 0;
  let changes = 0;
  // Fewer than four cannot change more than twice.
  if (length > 3)
    for (let at = start + 1; at < end; at += 1) if (text.charCodeAt(at) !== text.charCodeAt(at - 1)) changes += 1;
  return 1 + Math.max(0, changes - 2) * 0.3 + length / 40;
}
