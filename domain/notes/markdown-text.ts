/**
 * Escapes untrusted text for one line of Markdown, so that it is shown as it is: no link, tag, block id, HTML,
 * emphasis, list, comment, field or template command comes of it, wherever in a line and beside whatever text it is
 * placed.
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
 * Matches the characters that Markdown, or a notes app's extension of it, gives a meaning. A percent sign or colon has
 * one only beside another, which may come to follow one at an end.
 */
const live =
  /[\\`*_{}[\]<>#^|~$@]|&(?=[#\w]|$)|(?<=[<%]|^)%|%(?=[%>]|$)|(?<=:|^):|:(?=\S|$)|(?<==|^)=|=(?==|$)|(?<=www)\./gi;

/** Links a text to an address; the text alone when the address is not http or https. Both are untrusted. */
export function linkTo(text: string, url: string | null): string {
  const shown = inlineText(text);
  const address = webAddress(url);
  return address === null ? shown : `[${shown}](<${address}>)`;
}

/**
 * Normalizes an untrusted http or https address and percent-encodes what a note could read as more than an address;
 * null for any other address.
 */
export function webAddress(url: string | null): string | null {
  if (url === null || !URL.canParse(url)) return null;
  const { protocol, href } = new URL(url);
  if (protocol !== 'https:' && protocol !== 'http:') return null;
  return inertAddress(href).replace(/[>\]|}*]/g, percentEncoded);
}

/**
 * Percent-encodes the characters of an address that Markdown would interpret: a backslash would become part of the
 * address, and what follows it would keep its meaning.
 */
export function inertAddress(address: string): string {
  return address.replace(/%(?![0-9a-f]{2})|[<[`^{\\$]|(?<=:):|(?<!https?):(?=\/\/)|&(?=#?\w+;)/gi, percentEncoded);
}

function percentEncoded(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}

/** Normalizes line ends to LF; removes controls, separators, direction marks and lone halves of surrogate pairs. */
export function cleanText(text: string): string {
  return text
    .toWellFormed()
    .replace(/\r\n?|[\u0085\u2028\u2029]/g, '\n')
    .replace(/[^\P{Cc}\n\t]|[\u202a-\u202e\u2066-\u2069\ufeff]/gu, '');
}
