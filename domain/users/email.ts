import { inNfc } from '#domain/text/nfc.ts';

/** The maximum length of an e-mail address, in characters (RFC 5321 §4.5.3.1.3). */
export const maxEmailLength = 254;

/** Whether a text is accepted as an e-mail address: one @ with characters on both sides, and no white space. */
export function isEmail(text: string): boolean {
  return text.length <= maxEmailLength && /^[^\s@]+@[^\s@]+$/.test(text);
}

/** Returns the text in which a user is searched for: the e-mail's key and the name, without case. */
export function searchKeyOf(email: string, name: string | null): string {
  return `${emailKeyOf(email)}${nameKeyOf(name)}`;
}

/** Returns the part of a user's search key that comes from the name; '' without one. */
export function nameKeyOf(name: string | null): string {
  return name === null ? '' : `\n${emailKeyOf(name)}`;
}

/** Returns the key by which an e-mail is unique (USER-001): trimmed, in Unicode NFC, and lower-cased. */
export function emailKeyOf(email: string): string {
  return inNfc(email.trim()).toLowerCase();
}
