import { z } from 'zod';
import { patch } from '#adapters/services/requests/request-rows.ts';
import { patchContent, path } from '#adapters/services/vault/inputs.ts';

const instruction = z.record(z.string(), z.unknown());
const options = {
  body: 'instruction',
  contentType: { kind: 'patch_instruction' },
  answer: 'text',
  effect: 'lose',
  headers: { version: { header: 'Markdown-Patch-Version', encode: 'plain' } },
} as const;
const version = z.literal('2').default('2');

/** PATCH of a note, in format 2 of the notes app's server. */
export const patchNote2 = patch('/vault/{+path}', 'Changes a part of a note', { path, instruction, version }, options);
/** PATCH of the active note, in format 2 of the notes app's server. */
export const patchActive2 = patch('/active/', 'Changes a part of the active note', { instruction, version }, options);

const patchInput = z.object({
  operation: z.enum(['append', 'prepend', 'replace']),
  target_type: z.enum(['heading', 'block', 'frontmatter']),
  target: z.string(),
  target_delimiter: z.string().default('::'),
  create_target_if_missing: z.boolean().optional(),
  reject_if_content_preexists: z.boolean().optional(),
  if_match: z.string().optional(),
  content: patchContent,
});

/**
 * Converts the headers of format 1 to an instruction of format 2 (the server's published `PatchInstruction` schema).
 * That format leaves whitespace around targets to the server, so `Trim-Target-Whitespace` has no counterpart.
 */
export function instructionOf(input: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { target_type, target, target_delimiter, operation, content, ...rest } = patchInput.parse(input);
  const isText = target_type !== 'frontmatter' && typeof content === 'string';
  return {
    targetType: target_type,
    target: target_type === 'heading' ? target.split(target_delimiter) : target,
    operation,
    ...(isText ? { content } : { value: content }),
    ...(rest.create_target_if_missing === undefined ? {} : { createTargetIfMissing: rest.create_target_if_missing }),
    ...(rest.reject_if_content_preexists === undefined
      ? {}
      : { rejectIfContentPreexists: rest.reject_if_content_preexists }),
    ...(rest.if_match === undefined ? {} : { ifMatch: rest.if_match.replaceAll('"', '') }),
  };
}
