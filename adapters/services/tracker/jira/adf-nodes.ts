import { z } from 'zod';
import { maxLevels } from '#adapters/services/markdown/read-markdown.ts';

/** A mark of a text: `strong`, `em`, `strike`, `code`, `link` with its `href`, or another. */
export type AdfMark = Readonly<{ type: string; attrs?: Readonly<Record<string, unknown>> | undefined }>;

/** A node of a document in the Atlassian Document Format. */
export type AdfNode = Readonly<{
  type: string;
  attrs?: Readonly<Record<string, unknown>> | undefined;
  content?: readonly AdfNode[] | undefined;
  text?: string | undefined;
  marks?: readonly AdfMark[] | undefined;
}>;

/** A document. */
export type AdfDocument = Readonly<{ version: 1; type: 'doc'; content: readonly AdfNode[] }>;

/** The maximum length of a text field in Jira, in characters. */
export const maxLength = 32_767;

/** The maximum number of nodes of a document that are converted. */
export const maxNodes = 20_000;

const members = z.record(z.string(), z.unknown());
const loose = z.looseObject({
  type: z.string(),
  attrs: members.optional().catch(undefined),
  text: z.string().optional().catch(undefined),
  content: z.array(z.unknown()).optional().catch(undefined),
  marks: z
    .array(z.looseObject({ type: z.string(), attrs: members.optional().catch(undefined) }))
    .optional()
    .catch(undefined),
});

/** Reads a value as a node, at most `maxLevels` deep and of `maxNodes` nodes; null when it is none. */
export function adfNodeOf(value: unknown): AdfNode | null {
  let left = maxNodes;
  const read = (given: unknown, levels: number): AdfNode | null => {
    left -= 1;
    const parsed = left < 0 ? undefined : loose.safeParse(given).data;
    if (parsed === undefined) return null;
    const { content, ...node } = parsed;
    const inner = levels > 0 ? (content ?? []).flatMap((child) => read(child, levels - 1) ?? []) : [];
    return { type: node.type, attrs: node.attrs, text: node.text, marks: node.marks, content: inner };
  };
  return read(value, maxLevels);
}

/** The panels, and the words for them in a block quote of Markdown: `[!NOTE]`. */
export const panels: Readonly<Record<string, string>> = {
  info: 'NOTE',
  success: 'TIP',
  note: 'IMPORTANT',
  warning: 'WARNING',
  error: 'CAUTION',
};

/** The scheme of a mention's address in Markdown: `[@Ann](accountid:5b10…)`. */
export const mentionScheme = 'accountid:';

/** The scheme of an attached file's address in Markdown: `![alt](media:id/collection)`. */
export const mediaScheme = 'media:';
