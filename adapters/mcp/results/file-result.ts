import type { Content, ToolResult } from '#adapters/mcp/protocol/messages.ts';
import { truncateText } from '#adapters/mcp/results/truncate.ts';
import type { FileContent } from '#domain/operations/file-content.ts';

/** The maximum size of a file embedded in a tool's result, in bytes; a larger one becomes a link. */
export const maxFileBytes = 512 * 1024;

/**
 * Converts a file to a tool's result: embedded when it is small, else a link to this server's REST route, which accepts
 * the user's bearer token. Null when it is too large and has no address.
 */
export async function fileResult(
  file: FileContent,
  link: string | null,
  maxTokens: number,
): Promise<ToolResult | null> {
  const { name, mediaType, size } = file;
  const bytes = size !== null && size > maxFileBytes ? await leave(file) : await bytesOf(file);
  if (bytes === null && link === null) return null;
  if (bytes === null) {
    const uri = link ?? '';
    const many = size === null ? `more than ${maxFileBytes}` : `${size}`;
    const sentence = `The file ${name} has ${many} bytes. Download it from ${uri} with the same bearer token.`;
    const linked: Content = {
      type: 'resource_link',
      uri,
      name,
      mimeType: mediaType,
      ...(size === null ? {} : { size }),
    };
    return {
      content: [{ type: 'text', text: sentence }, linked],
      structuredContent: { name, mediaType, size, url: uri },
    };
  }
  const uri = link ?? `portolan://files/${encodeURIComponent(name)}`;
  const isText = /^(?:text\/|application\/(?:json|xml)\b)/.test(mediaType);
  const cut = isText ? truncateText(bytes.toString(), maxTokens) : null;
  const body = cut === null ? { blob: bytes.toString('base64') } : { text: cut.text };
  const rest = cut === null || cut.truncated === null ? '' : ` ${cut.truncated} All of it is at ${uri}.`;
  return {
    content: [
      { type: 'text', text: `The file ${name}: ${mediaType}, ${bytes.length} bytes.${rest}` },
      { type: 'resource', resource: { uri, mimeType: mediaType, ...body } },
    ],
    structuredContent: { name, mediaType, size: bytes.length, ...(link === null ? {} : { url: link }) },
  };
}

/** Reads all bytes; null when there are too many, in which case reading stops. */
async function bytesOf(file: FileContent): Promise<Buffer | null> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of file.bytes) {
    length += chunk.length;
    if (length > maxFileBytes) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Releases a file that will not be read, which closes its connection. */
async function leave(file: FileContent): Promise<null> {
  await file.bytes[Symbol.asyncIterator]().return?.();
  return null;
}
