import type { OperationCall } from '#application/ports/service-gateway.ts';
import { isObject } from '#domain/json/json-data.ts';
import { type FileContent, isFileContent } from '#domain/operations/file-content.ts';
import { type Failure, failed, type Outcome } from '#domain/operations/outcome.ts';
import { err, ok, type Result } from '#domain/shared/result.ts';

/** The operation that reads a file of the vault as it is. */
export const fileOfVault = { service: 'vault', name: 'files.read' } as const;

/** The maximum size of a file of the vault that a call passes on, in bytes. */
export const maxVaultFile = 10 * 1024 * 1024;

/**
 * Replaces a file of the vault that a call names (`{"vault_path": "Offers/Acme.pdf"}` in its file input) by its bytes,
 * which `read` reads over the caller's own right to the vault.
 */
export async function withVaultFile(
  call: OperationCall,
  upload: string,
  read: (call: OperationCall) => Promise<Outcome>,
): Promise<Result<OperationCall, Failure>> {
  const { input, signal } = call;
  if (!isObject(input)) return ok(call);
  const given = input[upload];
  if (!isObject(given) || typeof given['vault_path'] !== 'string' || Object.keys(given).length > 1) return ok(call);
  const path = given['vault_path'];
  const found = await read({ ...fileOfVault, input: { path }, ...(signal === undefined ? {} : { signal }) });
  if (!found.ok) {
    // What the reading sent says nothing about the call itself, of which nothing was sent.
    const { inputErrors: _, ...failure } = found;
    return err({ ...failure, message: `The file of the vault: ${found.message}`, sent: 'no' });
  }
  if (!isFileContent(found.data)) return err(failed('unavailable', 'The vault answered with no file.'));
  const bytes = await bytesOf(found.data);
  if (bytes === null) {
    return err(failed('too_large', `The file of the vault has more than ${maxVaultFile} bytes, which are the most.`));
  }
  const name = path.split('/').at(-1) ?? path;
  const file = { name, content_base64: bytes.toString('base64'), media_type: found.data.mediaType };
  return ok({ ...call, input: { ...input, [upload]: file } });
}

/** Reads all bytes; null when there are too many, in which case reading stops. */
async function bytesOf({ bytes, size }: FileContent): Promise<Buffer | null> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of bytes) {
    length += chunk.length;
    if (length > maxVaultFile || (size ?? 0) > maxVaultFile) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
