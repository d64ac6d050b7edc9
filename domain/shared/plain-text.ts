/**
 * Whether a text is one that can be kept, sent and compared anywhere: without U+0000 and half surrogates, which JSON can spell
 * and databases, addresses and files cannot.
 */
export function isPlainText(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}
