/**
 * Whether a text can be stored, sent and compared anywhere: without U+0000 and lone surrogates, which JSON can spell
 * and databases, addresses and files cannot.
 */
export function isPlainText(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}
