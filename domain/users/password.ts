/** Shortest password, in characters: what NIST SP 800-63B §5.1.1.2 asks for at least. */
export const minPasswordLength = 8;

/** Longest password, in characters: longer ones are refused before they cost anything. */
export const maxPasswordLength = 1_024;

/** Why a password cannot be taken; null when it can. */
export function passwordErrorOf(password: string): 'password_too_short' | 'password_too_long' | null {
  if (password.length > maxPasswordLength) return 'password_too_long';
  return Array.from(password).length < minPasswordLength ? 'password_too_short' : null;
}
