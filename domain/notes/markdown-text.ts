/** Untrusted text on one line of Markdown, shown as it is: no link, tag, block id, HTML or emphasis comes of it. */
export function inlineText(text: string): string {
  return clean(text)
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/[\\`*_{}[\]<>#^|~$%@=&!:]/g, '\\$&');
}

/**
 * Untrusted Markdown as a quotation: it may format itself, and its headings, block ids and fences stay inside, so that it
 * cannot pose as a section of the note. Empty for a text of blanks.
 */
export function quotedMarkdown(text: string): string {
  const lines = clean(text).trim().split('\n');
  if (lines.length === 1 && lines[0] === '') return '';
  return lines.map((line) => `> ${line}`.trimEnd()).join('\n');
}

/**
 * Text that links to an address; the text alone when the address is not one of http or https. The text is untrusted, and
 * so is the address.
 */
export function linkTo(text: string, url: string | null): string {
  const shown = inlineText(text);
  if (url === null || !URL.canParse(url)) return shown;
  const { protocol, href } = new URL(url);
  const isWeb = protocol === 'https:' || protocol === 'http:';
  return isWeb ? `[${shown}](<${href.replace(/[<>]/g, encodeURIComponent)}>)` : shown;
}

/** Line ends as LF; no control, separator, direction mark or lone half of a surrogate pair. */
function clean(text: string): string {
  return text
    .toWellFormed()
    .replace(/\r\n?|[\u0085\u2028\u2029]/g, '\n')
    .replace(/[^\P{Cc}\n\t]|[\u202a-\u202e\u2066-\u2069\ufeff]/gu, '');
}
