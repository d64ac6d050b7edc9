import { z } from 'zod';
import { contentTypeOf } from '#domain/notes/content-type.ts';
import { type FileContent, isFileContent, plainFileName } from '#domain/operations/file-content.ts';
import { inLists } from '#infrastructure/json-schema/tool-schema.ts';

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
    error:
      'must be a file: {"name": "…", "content_base64": "…", "media_type": "…"}, or for a call by a user {"vault_path": "…"}',
  })
  .meta({
    type: 'object',
    description: 'The file: its name, its bytes as base64, and its media type; or its path in the vault',
    properties: {
      name: { type: 'string', minLength: 1, maxLength: 255 },
      content_base64: { type: 'string', contentEncoding: 'base64' },
      media_type: { type: 'string', description: 'Such as application/pdf' },
      vault_path: { type: 'string', description: 'A file of the vault, alone: "Offers/Acme.pdf"' },
    },
  })
  .meta(
    inLists({
      type: 'object',
      description: '{"vault_path": "Offers/Acme.pdf"}, or {"name", "content_base64"}',
    }),
  );

/** Converts an upload's input to a file. */
export function fileOf(value: unknown): FileContent {
  if (isFileContent(value)) return value;
  const { name, content_base64, media_type } = encodedFile.parse(value);
  const bytes = Buffer.from(content_base64, 'base64');
  return {
    kind: 'file',
    name: plainFileName(name),
    mediaType: media_type ?? contentTypeOf(plainFileName(name)),
    size: bytes.byteLength,
    bytes: (async function* () {
      yield bytes;
    })(),
  };
}
