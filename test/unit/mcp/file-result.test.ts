import { describe, expect, it } from 'vitest';
import { fileResult } from '#adapters/mcp/results/file-result.ts';
import { estimateTokens } from '#domain/text/estimate-tokens.ts';

const limit = 512 * 1024;
const link = 'http://localhost:3000/api/signing/documents/d1/download';

/** A file in chunks of 64 KiB; `read` counts the bytes that were asked for, and `isLeft` says that no more will be. */
function fileOf(size: number, { isSizeKnown = true, mediaType = 'application/pdf' } = {}) {
  const seen = { read: 0, isLeft: false };
  async function* bytes() {
    try {
      for (let left = size; left > 0; left -= 65_536) {
        const chunk = Buffer.alloc(Math.min(left, 65_536), 'a');
        seen.read += chunk.length;
        yield chunk;
      }
    } finally {
      seen.isLeft = true;
    }
  }
  const file = { kind: 'file', name: 'Offer.pdf', mediaType, size: isSizeKnown ? size : null, bytes: bytes() } as const;
  return { file, seen };
}

describe('a file', () => {
  it('of 512 KiB is included in the answer, as base64', async () => {
    const result = await fileResult(fileOf(limit).file, link, 20_000);
    const blob = Buffer.alloc(limit, 'a').toString('base64');
    expect(result?.content).toEqual([
      { type: 'text', text: 'The file Offer.pdf: application/pdf, 524288 bytes.' },
      { type: 'resource', resource: { uri: link, mimeType: 'application/pdf', blob } },
    ]);
    expect(result?.structuredContent).toEqual({
      name: 'Offer.pdf',
      mediaType: 'application/pdf',
      size: limit,
      url: link,
    });
  });

  it.each(['text/csv', 'application/json; charset=utf-8'])(
    'of text (%s) is included in the answer as text',
    async (mediaType) => {
      const result = await fileResult(fileOf(3, { mediaType }).file, null, 20_000);
      const uri = 'portolan://files/Offer.pdf';
      expect(result?.content[1]).toEqual({ type: 'resource', resource: { uri, mimeType: mediaType, text: 'aaa' } });
    },
  );

  it('of text is cut to the tokens of a result, and says where all of it is (TOOL-012)', async () => {
    const result = await fileResult(fileOf(limit, { mediaType: 'text/csv' }).file, link, 1000);
    const [sentence, embedded] = result?.content ?? [];
    const text = embedded?.type === 'resource' && 'text' in embedded.resource ? embedded.resource.text : '';
    expect(estimateTokens(text)).toBeGreaterThan(900);
    expect(estimateTokens(text)).toBeLessThanOrEqual(1002);
    expect(sentence).toMatchObject({ text: expect.stringContaining(`All of it is at ${link}.`) });
  });

  it('of one more byte is a link, and is not read', async () => {
    const { file, seen } = fileOf(limit + 1);
    const size = limit + 1;
    expect(await fileResult(file, link, 20_000)).toEqual({
      content: [
        {
          type: 'text',
          text: `The file Offer.pdf has 524289 bytes. Download it from ${link} with the same bearer token.`,
        },
        { type: 'resource_link', uri: link, name: 'Offer.pdf', mimeType: 'application/pdf', size },
      ],
      structuredContent: { name: 'Offer.pdf', mediaType: 'application/pdf', size, url: link },
    });
    expect(seen.read).toBe(0);
  });

  it('of unknown size is a link as soon as it is too large, and is read no further', async () => {
    const { file, seen } = fileOf(10 * limit, { isSizeKnown: false });
    const result = await fileResult(file, link, 20_000);
    expect(result?.content[1]).toEqual({
      type: 'resource_link',
      uri: link,
      name: 'Offer.pdf',
      mimeType: 'application/pdf',
    });
    expect(seen).toEqual({ read: limit + 65_536, isLeft: true });
  });

  it('that is too large and has no address is not returned', async () => {
    expect(await fileResult(fileOf(limit + 1).file, null, 20_000)).toBeNull();
  });
});
