/** The minimum length of a password, in characters (NIST SP 800-63B §5.1.1.2). */
export const minPasswordLength = 8;

/** The maximum length of a password, in UTF-16 units; longer ones are rejected before they are hashed. */
export const maxPasswordLength = 1_024;

/** Returns why a password is rejected; null when it is accepted. */
export function passwordErrorOf(password: string): 'password_too_short' | 'password_too_long' | null {
  if (password.length > maxPasswordLength) return 'password_too_long';
  return Array.from(password).length < minPasswordLength ? 'password_too_short' : null;
}
