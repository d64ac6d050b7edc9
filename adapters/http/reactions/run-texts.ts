import type { RunResult } from '#domain/reactions/run-result.ts';

/** What people read of a result, and its colour. */
export const runTexts: Readonly<Record<RunResult, Readonly<{ text: string; kind: string }>>> = {
  ran: { text: 'Ran', kind: 'good' },
  unmet: { text: 'Condition false', kind: 'plain' },
  once: { text: 'Done before', kind: 'plain' },
  off: { text: 'Off', kind: 'plain' },
  waits: { text: 'Waits', kind: 'warn' },
  failed: { text: 'Failed', kind: 'bad' },
};

/** The page of one reaction; its path is a query parameter, since it contains slashes. */
export const reactionPageOf = (path: string): string => `/reactions/one?path=${encodeURIComponent(path)}`;
