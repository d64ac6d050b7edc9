/** More combining marks in a row than any language uses; normalising long runs of them takes quadratic time. */
const longRun = /\p{M}{31}/u;

/** The text in a form of Unicode; as it is when it has more than 30 combining marks in a row. */
export function normalized(text: string, form: 'NFC' | 'NFD' | 'NFKC'): string {
  return longRun.test(text) ? text : text.normalize(form);
}

/** The text in Unicode NFC, by which names are compared; as it is when it has more than 30 combining marks in a row. */
export function inNfc(text: string): string {
  return normalized(text, 'NFC');
}
