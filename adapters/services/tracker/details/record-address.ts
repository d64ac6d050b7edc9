import { z } from 'zod';

const withAddress = z.object({ url: z.string().max(500) });

/**
 * Where Linear shows the record that an answer is: an issue, a project, a document, a comment. Its pages are below the workspace's
 * name, which nothing but the answer tells. Null where the answer names no address, or one that is not at linear.app.
 */
export function linearAddress(data: unknown): string | null {
  const answered = withAddress.safeParse(data);
  const address = answered.success ? URL.parse(answered.data.url) : null;
  return address?.origin === 'https://linear.app' && address.username === '' ? address.href : null;
}
