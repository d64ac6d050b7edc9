/**
 * Whether a string can be stored, sent and compared everywhere: it contains neither U+0000 nor lone surrogates, which
 * JSON can encode but databases, URLs and files cannot.
 */
export function isPlainText(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}
