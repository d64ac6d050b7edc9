/**
 * Escapes untrusted text for one line of Markdown, so that it renders literally: it produces no link, tag, block id,
 * HTML, emphasis, list, comment, field or template command, wherever in a line and beside whatever text it is placed.
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
 * Matches characters that are special in Markdown or in a notes app's extension of it. `%`, `:` and `=` are special
 * only when doubled, and at either end of the text because the neighbouring text may double them.
 */
const live =
  /[\\`*_{}[\]<>#^|~$@]|&(?=[#\w]|$)|(?<=[<%]|^)%|%(?=[%>]|$)|(?<=:|^):|:(?=\S|$)|(?<==|^)=|=(?==|$)|(?<=www)\./gi;

/** Links a text to a URL; returns the text alone when the URL is not http or https. Both are untrusted. */
export function linkTo(text: string, url: string | null): string {
  const shown = inlineText(text);
  const address = webAddress(url);
  return address === null ? shown : `[${shown}](<${address}>)`;
}

/**
 * Normalizes an untrusted http or https URL and percent-encodes the characters that would end or extend the link in a
 * note; null for any other URL.
 */
export function webAddress(url: string | null): string | null {
  if (url === null || !URL.canParse(url)) return null;
  const { protocol, href } = new URL(url);
  if (protocol !== 'https:' && protocol !== 'http:') return null;
  return inertAddress(href).replace(/[>\]|}*]/g, percentEncoded);
}

/**
 * Percent-encodes the characters of a URL that Markdown would interpret. A backslash cannot be used: it would become
 * part of the URL.
 */
export function inertAddress(address: string): string {
  return address.replace(/%(?![0-9a-f]{2})|[<[`^{\\$]|(?<=:):|(?<!https?):(?=\/\/)|&(?=#?\w+;)/gi, percentEncoded);
}

function percentEncoded(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}

/**
 * Normalizes line ends to LF; removes control characters, bidirectional formatting characters and BOMs, and replaces
 * lone surrogates by U+FFFD.
 */
export function cleanText(text: string): string {
  return text
    .toWellFormed()
    .replace(/\r\n?|[\u0085\u2028\u2029]/g, '\n')
    .replace(/[^\P{Cc}\n\t]|[\u202a-\u202e\u2066-\u2069\ufeff]/gu, '');
}
