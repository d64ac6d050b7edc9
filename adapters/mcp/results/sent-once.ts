import type { ToolResult } from '#adapters/mcp/protocol/messages.ts';
import { estimateTokens, isWithinTokens } from '#domain/text/estimate-tokens.ts';

/**
 * What a client reads of a result: `text` one whose protocol revision has no structured content (before 2025-06-18),
 * `structured` one that chose output schemas, `both` one that was listed them unasked, `either` any other.
 */
export type ResultForm = 'text' | 'structured' | 'both' | 'either';

/** The maximum length of a text that structured content may repeat, in tokens: half of the least budget of a call. */
const maxRepeated = 500;

/** Whether of a success with this text and structured content only the text is sent. */
export function isTextOnly(text: string, form: ResultForm): boolean {
  return form === 'text' || (form === 'either' && !isWithinTokens(text, maxRepeated));
}

/**
 * Leaves out what only repeats the rest of a result: the structured content, or the text of a client that validates
 * structured content. A short answer is sent as both, and so is an error.
 */
export function sentOnce(result: ToolResult, form: ResultForm): ToolResult {
  const { content, structuredContent, ...rest } = result;
  if (structuredContent === undefined || form === 'both') return result;
  if (form === 'text') return { ...rest, content };
  const [first, ...others] = content;
  if (result.isError === true || first?.type !== 'text' || isWithinTokens(first.text, maxRepeated)) return result;
  if (form === 'either') return { ...rest, content };
  const { data } = structuredContent;
  const items = Array.isArray(data) ? `${data.length} items, ` : '';
  const text = `The answer is in structuredContent: ${items}about ${estimateTokens(first.text)} tokens.`;
  return { ...rest, content: [{ type: 'text', text }, ...others], structuredContent };
}
