const maxTags = 10_000;
const tagName = /[\p{L}\p{N}\p{M}\p{Extended_Pictographic}_\-/]+/uy;
const fence = /^(`{3,}|~{3,})/;
const [hash, backtick] = [35, 96];

/**
 * Extracts the tags of a note's body, without the `#`: at the start of a word, not in code, not of digits only; the
 * first 10,000.
 */
export function inlineTags(text: string, bodyStart: number): readonly string[] {
  return inlineTagPlaces(text, bodyStart).map(({ tag }) => tag);
}

/** A tag in a text; `start` is the offset after its `#`. */
export type TagPlace = Readonly<{ tag: string; start: number }>;

/** The same with their places. */
export function inlineTagPlaces(text: string, bodyStart: number): readonly TagPlace[] {
  const tags: TagPlace[] = [];
  let open: string | null = null;
  for (let start = bodyStart; start < text.length && tags.length < maxTags; ) {
    const newline = text.indexOf('\n', start);
    const end = newline === -1 ? text.length : newline;
    const mark = fence.exec(text.slice(start, Math.min(end, start + 1_000)))?.[1];
    if (open === null && mark !== undefined) open = mark;
    else if (open !== null) open = closes(text, start, end, open) ? null : open;
    else tagsInLine(text, start, end, tags);
    start = end + 1;
  }
  return tags.slice(0, maxTags);
}

function closes(text: string, start: number, end: number, open: string): boolean {
  return text.startsWith(open, start) && /^[`~]*$/.test(text.slice(start, end).trimEnd());
}

function tagsInLine(text: string, start: number, end: number, tags: TagPlace[]): void {
  for (let at = nextMark(text, start, end); at < end && tags.length < maxTags; at = nextMark(text, at + 1, end)) {
    if (text.charCodeAt(at) === backtick) {
      const closing = text.indexOf('`', at + 1);
      if (closing !== -1 && closing < end) at = closing;
    } else if (at === start || /\s/.test(text.charAt(at - 1))) {
      tagName.lastIndex = at + 1;
      const tag = tagName.exec(text)?.[0];
      if (tag !== undefined && /[^\d/]/.test(tag)) tags.push({ tag, start: at + 1 });
    }
  }
}

function nextMark(text: string, from: number, end: number): number {
  let at = from;
  while (at < end && text.charCodeAt(at) !== hash && text.charCodeAt(at) !== backtick) at += 1;
  return at;
}
