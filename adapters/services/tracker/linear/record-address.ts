import { z } from 'zod';

const withAddress = z.object({ url: z.string().max(500) });

/**
 * The address in Linear of the record in an answer: an issue, a project, a document, a comment. Addresses contain the
 * workspace's name, which only answers reveal. Null when the answer has no address, or one that is not at linear.app.
 */
export function linearAddress(data: unknown): string | null {
  const answered = withAddress.safeParse(data);
  const address = answered.success ? URL.parse(answered.data.url) : null;
  return address?.origin === 'https://linear.app' && address.username === '' ? address.href : null;
}
