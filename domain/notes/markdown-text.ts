/**
 * Untrusted text on one line of Markdown, shown as it is: no link, tag, block id, HTML, emphasis, list, comment, field or
 * template command comes of it, wherever in a line it stands and whatever stands beside it.
 */
export function inlineText(text: string): string {
  return cleanText(text)
    .replace(/\s+/g, ' ')
    .trim()
    .replace(live, '\\$&')
    .replace(/^[-+=]/, '\\$&')
    .replace(/^(\d{1,9})([.)])(?=\s|$)/, '$1\\$2');
}

/**
 * What Markdown, or a notes app that reads more into it, gives a meaning. A percent sign or colon has one only beside another,
 * and one that stands at an end may come to stand beside another.
 */
const live =
  /[\\`*_{}[\]<>#^|~$@]|&(?=[#\w]|$)|(?<=[<%]|^)%|%(?=[%>]|$)|(?<=:|^):|:(?=\S|$)|(?<==|^)=|=(?==|$)|(?<=www)\./gi;

/** Text that links to an address; the text alone when the address is not one of http or https. Both are untrusted. */
export function linkTo(text: string, url: string | null): string {
  const shown = inlineText(text);
  const address = webAddress(url);
  return address === null ? shown : `[${shown}](<${address}>)`;
}

/**
 * An untrusted address of http or https, with what a note could take for more than an address percent-encoded; null for
 * any other.
 */
export function webAddress(url: string | null): string | null {
  if (url === null || !URL.canParse(url)) return null;
  const { protocol, href } = new URL(url);
  if (protocol !== 'https:' && protocol !== 'http:') return null;
  return inertAddress(href).replace(/[>\]|}*]/g, percentEncoded);
}

/**
 * An address in which nothing is live, and of which nothing has to be escaped: a backslash would be taken for a part of it, and
 * what follows for itself.
 */
export function inertAddress(address: string): string {
  return address.replace(/%(?![0-9a-f]{2})|[<[`^{\\$]|(?<=:):|(?<!https?):(?=\/\/)|&(?=#?\w+;)/gi, percentEncoded);
}

function percentEncoded(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}

/** Line ends as LF; no control, separator, direction mark or lone half of a surrogate pair. */
export function cleanText(text: string): string {
  return text
    .toWellFormed()
    .replace(/\r\n?|[\u0085\u2028\u2029]/g, '\n')
    .replace(/[^\P{Cc}\n\t]|[\u202a-\u202e\u2066-\u2069\ufeff]/gu, '');
}
