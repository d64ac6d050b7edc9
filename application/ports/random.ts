/** Generates cryptographically secure random values. */
export interface Random {
  /** Returns that many random bytes as base64url, without padding. */
  token(bytes: number): string;
}
