import type { Link } from '#domain/vault-queries/dql/link.ts';

const maxLinks = 10_000;
const link = /(!?)\[\[([^[\]\n]+)\]\]|(!?)\[([^[\]\n]*)\]\((?:<([^<>\n]+)>|([^()\s]+))\)/g;

/** The links in a text, `[[name]]` and `[text](path)`, each place once, without web addresses; the first 10,000. */
export function linksIn(text: string, linkIn: (inner: string) => Link): readonly Link[] {
  if (!text.includes('[[') && !text.includes('](')) return [];
  const found = new Map<string, Link>();
  for (const [, bang, inner, mark, display, quoted, bare] of text.matchAll(link)) {
    const target = inner ?? innerOf(quoted ?? bare ?? '', display ?? '');
    if (target === null) continue;
    const to = linkIn(target).with({ embed: (bang ?? mark) === '!' });
    if (!found.has(to.place)) found.set(to.place, to);
    if (found.size >= maxLinks) break;
  }
  return [...found.values()];
}

/** A Markdown link as a wiki link’s inner text; null for an address on the web. */
function innerOf(address: string, display: string): string | null {
  if (/^[a-z][a-z\d+.-]*:/i.test(address)) return null;
  try {
    return `${decodeURIComponent(address)}|${display}`;
  } catch {
    return `${address}|${display}`;
  }
}
