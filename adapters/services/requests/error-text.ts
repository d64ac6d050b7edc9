/** The maximum length of a provider's text in a message, in characters. */
const maxLength = 400;

/** Joins what a provider said to sentences on one line, without markup, of a limited length; '' when it said nothing. */
export function sentencesOf(texts: readonly (string | null | undefined)[]): string {
  const lines = texts.flatMap((text) => plain(text) ?? []);
  const joined = [...new Set(lines)].join('. ').slice(0, maxLength);
  return joined === '' || /[.!?…]$/.test(joined) ? joined : `${joined}.`;
}

function plain(text: string | null | undefined): string | null {
  const line = (text ?? '')
    .replaceAll(/<[^<>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replace(/\.$/, '');
  return line === '' ? null : line;
}
