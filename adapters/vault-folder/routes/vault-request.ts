/** A request that has passed authentication. */
export type VaultRequest = Readonly<{
  method: string;
  /** The path as sent, percent-encoded, without the query. */
  path: string;
  query: URLSearchParams;
  /** Returns a header's value by its lower-cased name. */
  header(name: string): string | undefined;
  body: Buffer;
}>;
