import type { RemoteFailure, RemoteResult } from '#adapters/contracts/remote-sessions.ts';
import { failed, type Outcome, succeeded } from '#domain/operations/outcome.ts';
import { plain } from '#infrastructure/json-schema/foreign-schema.ts';

type Block = RemoteResult['content'][number];

/**
 * Converts what a tool returned: its structured content, else its texts; other content is named, not shown. `addressOf`
 * gives the address here of a resource that it names.
 */
export function outcomeOfResult(
  title: string,
  { content, structured, isError }: RemoteResult,
  addressOf: (uri: string) => string = (uri) => uri,
): Outcome {
  const shown = (block: Block) => textOf(block, addressOf);
  const text = content.map(shown).join('\n\n');
  if (isError) {
    return failed('rejected', `${title} answered that this failed.`, { details: plain(text, maxError), sent: 'yes' });
  }
  if (structured === null) return succeeded(text === '' ? null : text);
  const others = content.filter(({ type }) => type !== 'text').map(shown);
  return others.length === 0 ? succeeded(structured) : { ...succeeded(structured), warnings: others };
}

/** The maximum length of an error's text, in characters. */
const maxError = 4_000;

/** Converts why a server did not do what was asked. */
export function outcomeOfFailure(title: string, { reason, message, sent }: RemoteFailure): Outcome {
  return failed(reason === 'session_lost' ? 'unavailable' : reason, `${title} did not do this. ${message}`, { sent });
}

/** A block as text: texts as they are, other content by its name, type and size. */
function textOf(block: Block, addressOf: (uri: string) => string): string {
  const { type, text, mimeType, data, uri, name, resource } = block;
  if (type === 'text') return String(text);
  if (type === 'resource_link') return `[${String(name)}: ${addressOf(String(uri))}]`;
  if (type !== 'resource') return `[${String(type)}, ${String(mimeType)}, ${sizeOf(data)}: not shown]`;
  const { uri: address, text: inside, mimeType: kind, blob } = Object(resource);
  if (typeof inside === 'string') return inside;
  return `[${addressOf(String(address))}, ${String(kind)}, ${sizeOf(blob)}: not shown]`;
}

function sizeOf(base64: unknown): string {
  return `${Math.floor((typeof base64 === 'string' ? base64.length : 0) * 0.75)} bytes`;
}
