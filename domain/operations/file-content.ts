/** A file in transit: `bytes` is a stream that can be read once; `size` is in bytes, null when unknown. */
export type FileContent = Readonly<{
  kind: 'file';
  name: string;
  mediaType: string;
  size: number | null;
  bytes: AsyncIterable<Uint8Array>;
}>;

/** Whether a value is a file in transit. */
export function isFileContent(value: unknown): value is FileContent {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'file' && 'bytes' in value;
}

const controls = /\p{Cc}/gu;

/** Strips folders and control characters from a file name, for use in a header; "upload" when nothing remains. */
export function plainFileName(name: string): string {
  const last = name.split(/[/\\]/).at(-1) ?? '';
  const plain = last.replaceAll(controls, '').trim();
  return plain === '' || plain === '.' || plain === '..' ? 'upload' : plain;
}
