import { z } from 'zod';
import type { ProviderError } from '#adapters/services/definitions/dialect.ts';
import { documentStateOf } from '#domain/signing/document-state.ts';
import type { HttpAnswer } from '#infrastructure/http/http-messages.ts';

const detail = z.union([z.string(), z.record(z.string(), z.unknown()), z.array(z.unknown())]);

const refusedBody = z.object({
  type: z.string().optional(),
  code: z.string().optional(),
  detail: detail.optional(),
  details: detail.optional(),
  message: z.string().optional(),
  info_message: z.string().optional(),
  error: z.string().optional(),
  error_description: z.string().optional(),
  status: z.string().optional(),
});

/**
 * Parses an error body: `{type, detail}`, where `detail` is a text or texts by field; for a document in the wrong state
 * `{id, status, info_message}`; in the first version `{code, details}`.
 */
export function readError(answer: HttpAnswer, body: unknown): ProviderError | null {
  const parsed = refusedBody.safeParse(body);
  const said = parsed.success ? parsed.data : {};
  const state = answer.status === 409 ? documentStateOf(said.status) : null;
  const text = textOf(said.detail ?? said.details) ?? said.message ?? said.error_description ?? said.error;
  const message = state === null ? (text ?? said.info_message) : stateConflict(state);
  if (answer.status === 423) {
    return {
      reason: 'conflict',
      message: `Somebody is editing the document, so it is locked. Try again when they are done.${text === undefined ? '' : ` (${text})`}`,
      details: plain(said),
    };
  }
  if (message === undefined) return null;
  return { message: `The signing service refused: ${message}`, details: plain(said) };
}

function stateConflict(state: string): string {
  return state === 'uploaded'
    ? 'the document is uploaded, not draft: it is still being made. Try again in a few seconds.'
    : `the document is ${state.replaceAll('_', ' ')}, and that state does not allow this.`;
}

/** A text, or texts by field as "field: text"; undefined when empty. */
function textOf(said: unknown): string | undefined {
  if (typeof said === 'string') return said === '' ? undefined : said;
  if (Array.isArray(said)) return joined(said.map(textOf));
  if (typeof said !== 'object' || said === null) return undefined;
  return joined(
    Object.entries(said).map(([field, value]) => {
      const text = textOf(value);
      return text === undefined ? undefined : `${field}: ${text}`;
    }),
  );
}

function joined(texts: readonly (string | undefined)[]): string | undefined {
  const known = texts.filter((text) => text !== undefined);
  return known.length === 0 ? undefined : known.join('; ');
}

/** Converts an error body to data; unknown members are omitted. */
function plain({ type, code, detail: one, details: several, status, info_message }: z.output<typeof refusedBody>) {
  return { type: type ?? code, detail: one ?? several, status, info_message };
}
