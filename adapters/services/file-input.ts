import { z } from 'zod';
import { type FileContent, isFileContent, plainFileName } from '#domain/operations/file-content.ts';

/** A file as passed by a tool's caller. */
export type EncodedFile = Readonly<{ name: string; content_base64: string; media_type?: string | undefined }>;

const encodedFile = z.strictObject({
  name: z.string().min(1).max(255),
  content_base64: z.base64(),
  media_type: z.string().optional(),
});

/** The input of an upload: a stream from a REST body, or a small file as base64 from a tool. */
export const fileInput = z
  .custom<FileContent | EncodedFile>((value) => isFileContent(value) || encodedFile.safeParse(value).success, {
    error: 'must be a file: {"name": "…", "content_base64": "…", "media_type": "…"}',
  })
  .meta({
    type: 'object',
    description: 'The file: its name, its bytes as base64, and its media type',
    properties: {
      name: { type: 'string', minLength: 1, maxLength: 255 },
      content_base64: { type: 'string', contentEncoding: 'base64' },
      media_type: { type: 'string', description: 'Such as application/pdf' },
    },
    required: ['name', 'content_base64'],
  });

/** Converts an upload's input to a file. */
export function fileOf(value: unknown): FileContent {
  if (isFileContent(value)) return value;
  const { name, content_base64, media_type } = encodedFile.parse(value);
  const bytes = Buffer.from(content_base64, 'base64');
  return {
    kind: 'file',
    name: plainFileName(name),
    mediaType: media_type ?? 'application/octet-stream',
    size: bytes.byteLength,
    bytes: (async function* () {
      yield bytes;
    })(),
  };
}
