/**
 * A regular expression whose work is known not to grow with a text from outside, although it is not linear, or is built of more than
 * constants: its file, its code as it is written there, and the bound that makes it harmless.
 */
export type RegexBound = Readonly<{ path: string; code: string; bound: string }>;

/** All of them. What is not here is linear, or runs in threads only. */
export const regexBounds: readonly RegexBound[] = [
  {
    path: 'adapters/http/answers/inline-text.ts',
    code: '/`([^`]+)`|\\*\\*([^*]+)\\*\\*|\\[([^\\]]+)\\]\\((https:\\/\\/[^\\s)]+)\\)/g',
    bound: 'the texts of setup guides, which this project writes',
  },
  {
    path: 'domain/notes/dated-lines.ts',
    code: 'new RegExp(`(?:^|\\\\s)\\\\^${mark}\\\\s*$`)',
    bound: 'a mark of this server, of letters, digits and hyphens; linear with each of them',
  },
  {
    path: 'domain/reaction-notes/known-events.ts',
    code: "new RegExp(`^[A-Za-z]\\\\w{0,99}\\\\.(?:${suiteCrmActions.join('|')})$`)",
    bound: 'three words of this server, and 100 characters',
  },
  {
    path: 'adapters/vault-rest/vault-handler.ts',
    code: "new RegExp(`^${source}$`, 's')",
    bound: 'the path of a request, which is at most 16 KiB with its headers; the routes are those of this server',
  },
  {
    path: 'domain/vault-queries/judge-notes.ts',
    code: 'new RegExp(source)',
    bound: 'a pattern of a user, which is judged in a thread with a deadline',
  },
];
