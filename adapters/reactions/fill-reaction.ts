import { compileExpression } from '#adapters/reactions/expression.ts';
import { compileTemplate, type TemplatePlace } from '#adapters/reactions/text-template.ts';
import type { FilledReaction } from '#application/ports/reaction-language.ts';
import { isObject } from '#domain/json/json-data.ts';
import type { FrontmatterValue } from '#domain/notes/frontmatter.ts';
import { type EventData, plainCopy } from '#domain/reaction-notes/event-data.ts';
import type { ReactionNote } from '#domain/reaction-notes/reaction-note.ts';
import { err, ok, type Result } from '#domain/shared/result.ts';

type Data = Readonly<Record<string, unknown>>;

/** Evaluates a reaction's condition and fills its templates; null when the condition is not met. */
export function fillReaction(reaction: ReactionNote, data: EventData): Result<FilledReaction | null, string> {
  try {
    return filled(reaction, data);
  } catch (error) {
    if (error instanceof Unfilled) return err(error.message);
    throw error;
  }
}

/** Thrown within this file when a part cannot be filled; the message is for the reaction's author. */
class Unfilled extends Error {}

function filled(reaction: ReactionNote, data: Data): Result<FilledReaction | null, string> {
  const { condition, note, under, once, body, set, calls } = reaction;
  if (condition !== null) {
    const compiled = compileExpression(condition);
    const isMet = compiled.ok ? compiled.value.evaluate(data) : compiled;
    if (!isMet.ok) return isMet;
    if (!isMet.value) return ok(null);
  }
  const text = (template: string | null, place: TemplatePlace) =>
    template === null ? null : textOf(template, place, data);
  return ok({
    path: text(note, 'path'),
    heading: text(under, 'note')?.replace(/\s+/g, ' ').trim() ?? null,
    once: text(once, 'data'),
    text: note === null ? '' : textOf(body, 'note', data).trim(),
    frontmatter: Object.fromEntries(
      Object.entries(set).map(([key, value]) => [key, frontmatterValue(filledValue(value, data))]),
    ),
    inputs: calls.map(({ input }) =>
      Object.fromEntries(Object.entries(input).map(([key, value]) => [key, filledValue(value, data)])),
    ),
  });
}

function textOf(template: string, place: TemplatePlace, data: Data): string {
  const compiled = compileTemplate(template, place);
  const result = compiled.ok ? compiled.value.fill(data) : err(compiled.failure.message);
  if (!result.ok) throw new Unfilled(result.failure);
  return result.value;
}

/** Fills the templates within a value. */
function filledValue(value: unknown, data: Data): unknown {
  if (Array.isArray(value)) return value.map((item) => filledValue(item, data));
  if (isObject(value)) {
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, filledValue(member, data)]));
  }
  if (typeof value !== 'string') return value;
  const compiled = compileTemplate(value, 'data');
  const result = compiled.ok ? compiled.value.value(data) : err(compiled.failure.message);
  if (!result.ok) throw new Unfilled(result.failure);
  return plainCopy(result.value);
}

function frontmatterValue(value: unknown): FrontmatterValue {
  if (value === null || value === undefined) return null;
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
  return Array.isArray(value) ? value.map(String) : JSON.stringify(value);
}
