import { own } from '#domain/shared/own.ts';

/** The states of a document in the signing service (SIGN-003 to SIGN-005). `error` means that its creation failed. */
export const documentStates = [
  'uploaded',
  'error',
  'draft',
  'scheduled',
  'waiting_approval',
  'rejected',
  'approved',
  'sent',
  'viewed',
  'external_review',
  'waiting_pay',
  'paid',
  'completed',
  'expired',
  'declined',
] as const;

/** One of the states. */
export type DocumentState = (typeof documentStates)[number];

/** The states that a user may set manually (SIGN-005). */
export const settableStates = ['completed', 'expired', 'declined'] as const;

/** One of the states that may be set manually. */
export type SettableState = (typeof settableStates)[number];

/** An action that a document's state may forbid. */
export type DocumentAction = 'update' | 'send' | `set ${SettableState}`;

/** What triggers a transition of a document's state (SIGN-003 to SIGN-005). */
export type DocumentTrigger =
  | 'creation succeeded'
  | 'creation failed'
  | 'send'
  | 'view'
  | 'all signed'
  | 'revert to draft'
  | `set ${SettableState}`;

/**
 * Parses a state from `document.draft` or `draft`, case-insensitively; null when unknown. `voided` is a synonym of
 * expired.
 */
export function documentStateOf(text: unknown): DocumentState | null {
  if (typeof text !== 'string') return null;
  const word = text.toLowerCase().replace(/^document\./, '');
  if (word === 'voided') return 'expired';
  return documentStates.find((state) => state === word) ?? null;
}

const moves: Readonly<Record<string, Readonly<{ from: readonly DocumentState[]; to: DocumentState }>>> = {
  'creation succeeded': { from: ['uploaded'], to: 'draft' },
  'creation failed': { from: ['uploaded'], to: 'error' },
  // With an approval workflow, sending a draft first requests approval; sending it again sends it.
  send: { from: ['draft', 'approved'], to: 'sent' },
  view: { from: ['sent'], to: 'viewed' },
  'all signed': { from: ['viewed'], to: 'completed' },
};

/**
 * Returns the next state, or null when there is no such transition. Any document can be reverted to draft or set
 * manually to a settable state (SIGN-005).
 */
export function stateAfter(state: DocumentState, trigger: DocumentTrigger): DocumentState | null {
  if (trigger === 'revert to draft') return 'draft';
  const set = settableStates.find((candidate) => trigger === `set ${candidate}`);
  if (set !== undefined) return set;
  const move = own(moves, trigger);
  return move?.from.includes(state) === true ? move.to : null;
}

/** Whether the document is still being created, so that no action is possible yet. */
export const isBeingCreated = (state: DocumentState): boolean => state === 'uploaded';

/**
 * Explains to a person or a model why the document's state forbids the action, and what would allow it; null when the
 * action is allowed. A state may be set manually at any time, except while the document is being created, after its
 * creation failed, or when it is already in that state.
 */
export function stateConflictOf(action: DocumentAction, state: DocumentState): string | null {
  if (isBeingCreated(state)) {
    return 'The document is uploaded, not draft: it is still being made. Try again in a few seconds, when it is a draft.';
  }
  if (state === 'error') return 'The document is in error: it could not be made. Delete it and create it again.';
  if (action === 'send') return stateAfter(state, 'send') === null ? draftOnly(state, 'sent') : null;
  if (action === 'update') return state === 'draft' ? null : draftOnly(state, 'changed');
  return stateAfter(state, action) === state ? `The document is ${words(state)} already.` : null;
}

function draftOnly(state: DocumentState, done: 'sent' | 'changed'): string {
  const remedy = 'revert it to draft first, which clears its signatures';
  return `The document is ${words(state)}, not draft. Only a draft may be ${done}: ${remedy}.`;
}

const words = (state: DocumentState): string => state.replaceAll('_', ' ');
