/** Unguessable values. */
export interface Random {
  /** Base64url, without padding, of that many random bytes. */
  token(bytes: number): string;
}
