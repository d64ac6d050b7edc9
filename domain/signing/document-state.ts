/**
 * Where a document of the signing service may stand. The contract names uploaded, draft, sent, viewed, completed, expired and
 * declined and says that its list is not full; the others are known of such services. Not in the contract: `error` is a
 * document whose making failed.
 */
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

/** The states that a person may set by hand (contract, States: PATCH status). */
export const settableStates = ['completed', 'expired', 'declined'] as const;

/** One of the states that may be set by hand. */
export type SettableState = (typeof settableStates)[number];

/** What is done to a document; `set` is followed by the state it is set to. */
export type DocumentAction = 'update' | 'send' | 'edit' | 'sign' | `set ${SettableState}`;

/** What happens to a document (contract, States and transitions: Signing-service document). */
export type DocumentTrigger =
  | 'creation succeeded'
  | 'creation failed'
  | 'send'
  | 'view'
  | 'all signed'
  | 'revert to draft'
  | `set ${SettableState}`;

/** The state in a text such as `document.draft` or `draft`; null when it names none. `voided` is another word for expired. */
export function documentStateOf(text: unknown): DocumentState | null {
  if (typeof text !== 'string') return null;
  const word = text.toLowerCase().replace(/^document\./, '');
  if (word === 'voided') return 'expired';
  return documentStates.find((state) => state === word) ?? null;
}

const moves: Readonly<Record<string, Readonly<{ from: DocumentState; to: DocumentState }>>> = {
  'creation succeeded': { from: 'uploaded', to: 'draft' },
  'creation failed': { from: 'uploaded', to: 'error' },
  send: { from: 'draft', to: 'sent' },
  view: { from: 'sent', to: 'viewed' },
  'all signed': { from: 'viewed', to: 'completed' },
};

/**
 * The state that follows, or null when the contract knows no such move. Any document goes back to draft, and any document
 * takes a state that may be set by hand.
 */
export function stateAfter(state: DocumentState, trigger: DocumentTrigger): DocumentState | null {
  if (trigger === 'revert to draft') return 'draft';
  const set = settableStates.find((candidate) => trigger === `set ${candidate}`);
  if (set !== undefined) return set;
  const move = moves[trigger];
  return move?.from === state ? move.to : null;
}

/** Whether the document is still being made, so that nothing may be done with it yet. */
export const isBeingMade = (state: DocumentState): boolean => state === 'uploaded';

const wanted: Readonly<Record<'update' | 'send' | 'edit', string>> = {
  update: 'Only a draft may be changed',
  send: 'Only a draft may be sent',
  edit: 'Only a draft may be edited',
};

const out: readonly DocumentState[] = ['sent', 'viewed', 'external_review', 'waiting_pay'];

/**
 * Why the document's state forbids the action, and what would allow it, in words for a person or a model; null when the
 * state is not the reason. A state may be set by hand at any time (contract), so that is refused for a document only that
 * is not there yet or has that state already.
 */
export function refusalOf(action: DocumentAction, state: DocumentState): string | null {
  if (state === 'uploaded') {
    return 'The document is uploaded, not draft: it is still being made. Try again in a few seconds, when it is a draft.';
  }
  if (state === 'error') {
    return 'The document is in error: it could not be made. Delete it and create it again.';
  }
  if (action === 'sign') return refusalToSign(state);
  if (action === 'update' || action === 'send' || action === 'edit') return refusalOfDraftOnly(action, state);
  return action === `set ${state}` ? `The document is ${state} already.` : null;
}

function refusalOfDraftOnly(action: 'update' | 'send' | 'edit', state: DocumentState): string | null {
  if (state === 'draft' || (action === 'send' && state === 'approved')) return null;
  return `The document is ${words(state)}, not draft. ${wanted[action]}: take it back to draft first, which clears its signatures.`;
}

function refusalToSign(state: DocumentState): string | null {
  if (out.includes(state)) return null;
  return `The document is ${words(state)}, not sent. Only a document that was sent can be signed.`;
}

const words = (state: DocumentState): string => state.replaceAll('_', ' ');
