/** The longest e-mail address, in characters (RFC 5321 §4.5.3.1.3). */
export const maxEmailLength = 254;

/** Whether a text is accepted as an e-mail address: one @ with something on both sides, without spaces. */
export function isEmail(text: string): boolean {
  return text.length <= maxEmailLength && /^[^\s@]+@[^\s@]+$/.test(text);
}

/**
 * Returns the key by which an e-mail is unique (USER-001): the same for spellings that differ in blanks around it, in case,
 * or in how Unicode composes letters.
 */
export function emailKeyOf(email: string): string {
  return email.trim().normalize('NFC').toLowerCase();
}
