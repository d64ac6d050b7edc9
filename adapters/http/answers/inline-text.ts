/** A fragment of a text: plain, bold, code, or a link. */
type InlinePart = Readonly<{ kind: 'plain' | 'strong' | 'code' | 'link'; text: string; href: string }>;

const pattern = /`([^`]+)`|\*\*([^*]+)\*\*|\[([^\]]+)\]\((https:\/\/[^\s)]+)\)/g;

/**
 * Parses a trusted text with `code`, **names** and [links](https://…) into fragments, each of which the template
 * escapes.
 */
export function inlineParts(text: string): readonly InlinePart[] {
  const parts: InlinePart[] = [];
  const plain = (until: string): void => void (until === '' || parts.push({ kind: 'plain', text: until, href: '' }));
  let end = 0;
  for (const match of text.matchAll(pattern)) {
    plain(text.slice(end, match.index));
    const [, code, strong, link, href = ''] = match;
    if (code !== undefined) parts.push({ kind: 'code', text: code, href });
    else if (strong !== undefined) parts.push({ kind: 'strong', text: strong, href });
    else parts.push({ kind: 'link', text: link ?? '', href });
    end = match.index + match[0].length;
  }
  plain(text.slice(end));
  return parts;
}
