const names =
  'address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|dl|dt|fieldset|figcaption|figure|footer|form|frame|frameset|h[1-6]|head|header|hr|html|iframe|legend|li|link|main|menu|menuitem|nav|noframes|ol|optgroup|option|p|param|search|section|summary|table|tbody|td|tfoot|th|thead|title|tr|track|ul';
const attribute = '\\s+[a-z_:][\\w:.-]*(?:\\s*=\\s*(?:[^"\'=<>`\\s]+|\'[^\']*\'|"[^"]*"))?';
const maxTag = 2_000;

/** The end condition of an HTML block: the pattern of its last line, or null for a blank line. */
export type HtmlEnd = RegExp | null;

const kinds: readonly Readonly<{ start: RegExp; end: HtmlEnd; interrupts: boolean }>[] = [
  {
    start: /^<(?:script|pre|textarea|style)(?:\s|>|$)/i,
    end: /<\/(?:script|pre|textarea|style)>/i,
    interrupts: true,
  },
  { start: /^<!--/, end: /-->/, interrupts: true },
  { start: /^<\?/, end: /\?>/, interrupts: true },
  { start: /^<![a-z]/i, end: />/, interrupts: true },
  { start: /^<!\[CDATA\[/, end: /\]\]>/, interrupts: true },
  { start: new RegExp(`^</?(?:${names})(?:\\s|/?>|$)`, 'i'), end: null, interrupts: true },
  {
    start: new RegExp(`^(?:<[a-z][a-z0-9-]*(?:${attribute})*\\s*/?>|</[a-z][a-z0-9-]*\\s*>)\\s*$`, 'i'),
    end: null,
    interrupts: false,
  },
];

/**
 * Returns the end condition of the HTML block that `line` starts (CommonMark §4.6); undefined when it starts none. Only
 * the first 2,000 characters are examined, so a longer tag is text.
 */
export function htmlEndOf(line: string, isInParagraph: boolean): HtmlEnd | undefined {
  const start = line.length > maxTag ? line.slice(0, maxTag) : line;
  return kinds.find((kind) => (kind.interrupts || !isInParagraph) && kind.start.test(start))?.end;
}
