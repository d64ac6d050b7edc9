import { compileExpression } from '#adapters/reactions/expression.ts';
import { readWrittenReaction } from '#adapters/reactions/read-written-reaction.ts';
import { scheduleError } from '#adapters/reactions/schedule-times.ts';
import { namesInTemplate } from '#adapters/reactions/text-template.ts';
import type { ReactionFault, ReadReaction } from '#domain/reaction-notes/reaction-note.ts';
import { readReaction } from '#domain/reaction-notes/read-reaction.ts';
import type { ReactionChecks } from '#domain/reaction-notes/written-reaction.ts';
import { nearestName } from '#domain/text/nearest-name.ts';

/** Parses and validates a reaction note; null for a note without frontmatter. */
export function checkReaction(
  path: string,
  text: string,
  server: Pick<ReactionChecks, 'senders' | 'folder' | 'call'>,
): ReadReaction | null {
  const written = readWrittenReaction(path, text);
  if (written === null) return null;
  return readReaction(written, {
    ...server,
    expression: expressionError,
    template: templateError,
    schedule: scheduleError,
  });
}

function expressionError(text: string, names: readonly string[]): string | null {
  const compiled = compileExpression(text);
  return compiled.ok ? unknownName(compiled.value.names, names) : compiled.failure;
}

function templateError(text: string, names: readonly string[]): ReactionFault | null {
  const used = namesInTemplate(text);
  if (!used.ok) return used.failure;
  const message = unknownName(used.value, names);
  return message === null ? null : { line: lineWith(text, used.value, names), message };
}

function lineWith(text: string, used: readonly string[], names: readonly string[]): number {
  const unknown = used.find((name) => !names.includes(name)) ?? '';
  return text.split('\n').findIndex((line) => line.includes(unknown)) + 1;
}

/** Reports the first unknown name; null while no names are known, since `when` is then the error. */
function unknownName(used: readonly string[], names: readonly string[]): string | null {
  const unknown = used.find((name) => !names.includes(name));
  if (unknown === undefined || names.length === 0) return null;
  const near = nearestName(unknown, names);
  const hint = near === null ? '' : ` Did you mean \`${near}\`?`;
  return `There is no \`${unknown.slice(0, 60)}\` with this \`when\`.${hint} Available: ${names.join(', ')}.`;
}
