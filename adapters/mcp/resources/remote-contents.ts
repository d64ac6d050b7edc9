import { z } from 'zod';
import type { ResourceContents } from '#adapters/mcp/protocol/messages.ts';
import { maxFileBytes } from '#adapters/mcp/results/file-result.ts';
import { textWithin } from '#adapters/mcp/results/truncate.ts';
import { maxResultTokens } from '#adapters/mcp/tools/result-budget.ts';
import { readRemoteUri } from '#domain/remote-servers/remote-uri.ts';

/** The maximum length of the base64 of a resource's contents that is passed on, in characters: that of a file in an answer. */
const maxBase64 = Math.ceil(maxFileBytes / 3) * 4;

const given = z.object({
  contents: z.array(
    z.union([
      z.object({ uri: z.string(), mimeType: z.string().nullable(), text: z.string() }),
      z.object({ uri: z.string(), mimeType: z.string().nullable(), blob: z.string() }),
    ]),
  ),
});

/**
 * The contents of a remote server's resource within the limit of every answer: texts are cut, and says so; bytes beyond
 * the limit, and what is no base64, are named and not shown. One whose URI is none has the one that was `asked` for.
 */
export function boundedContents(data: unknown, asked: string): readonly ResourceContents[] {
  const read = given.safeParse(data);
  if (!read.success) return [];
  let [tokens, base64] = [maxResultTokens, maxBase64];
  return read.data.contents.map((one): ResourceContents => {
    const uri = readRemoteUri(one.uri) === null ? asked : one.uri;
    const mimeType = one.mimeType === null ? {} : { mimeType: one.mimeType };
    if ('text' in one) {
      const { text, left } = textWithin(one.text.toWellFormed(), tokens);
      tokens = left;
      return { uri, ...mimeType, text };
    }
    const { blob } = one;
    if (blob.length > base64 || !/^[A-Za-z0-9+/]*={0,2}$/.test(blob)) {
      return {
        uri,
        mimeType: 'text/plain',
        text: `[${one.mimeType ?? 'unknown type'}, ${blob.length} characters of base64: not shown]`,
      };
    }
    base64 -= blob.length;
    return { uri, ...mimeType, blob };
  });
}
