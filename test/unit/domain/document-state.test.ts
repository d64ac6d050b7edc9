import { describe, expect, it } from 'vitest';
import {
  type DocumentState,
  type DocumentTrigger,
  documentStateOf,
  documentStates,
  isBeingCreated,
  stateAfter,
  stateConflictOf,
} from '#domain/signing/document-state.ts';

describe('the state of a document is read from the service', () => {
  it.each([
    ['document.uploaded', 'uploaded'],
    ['document.draft', 'draft'],
    ['sent', 'sent'],
    ['document.voided', 'expired'],
    ['document.waiting_approval', 'waiting_approval'],
    ['Document.Completed', 'completed'],
  ])('%s is %s', (text, state) => expect(documentStateOf(text)).toBe(state));

  it.each(['document.lost', '', 'document.', 7, null, undefined])('%j is none', (text) =>
    expect(documentStateOf(text)).toBeNull(),
  );
});

/** By hand: every state that a document can have. */
const everyState = [
  ...(['uploaded', 'error', 'draft', 'scheduled', 'waiting_approval', 'rejected', 'approved', 'sent'] as const),
  ...(['viewed', 'external_review', 'waiting_pay', 'paid', 'completed', 'expired', 'declined'] as const),
];

// Copied by hand from the life of a document (SIGN-003 to SIGN-005).
const plannedMoves: readonly [DocumentState, DocumentTrigger, DocumentState][] = [
  ['uploaded', 'creation succeeded', 'draft'],
  ['draft', 'send', 'sent'],
  ['sent', 'view', 'viewed'],
  ['viewed', 'all signed', 'completed'],
];

describe('the life of a document', () => {
  it.each(plannedMoves)('%s, by %s, becomes %s (SIGN-010)', (from, trigger, to) =>
    expect(stateAfter(from, trigger)).toBe(to),
  );

  it('no other state is moved by those', () => {
    for (const [from, trigger] of plannedMoves) {
      for (const state of documentStates)
        if (state !== from && !(state === 'approved' && trigger === 'send'))
          expect(stateAfter(state, trigger)).toBeNull();
    }
  });

  it('creation that fails ends in error', () => expect(stateAfter('uploaded', 'creation failed')).toBe('error'));

  it.each(everyState)('%s goes back to draft (SIGN-010)', (state) =>
    expect(stateAfter(state, 'revert to draft')).toBe('draft'),
  );

  it.each(['completed', 'expired', 'declined'] as const)('any document may be set to %s', (to) => {
    for (const state of documentStates) expect(stateAfter(state, `set ${to}`)).toBe(to);
  });

  it('only an uploaded document is being made', () => {
    expect(documentStates.filter(isBeingCreated)).toEqual(['uploaded']);
  });
});

describe('a refusal is explained by the state', () => {
  it('a sent document cannot be sent', () => {
    expect(stateConflictOf('send', 'sent')).toBe(
      'The document is sent, not draft. Only a draft may be sent: take it back to draft first, which clears its signatures.',
    );
  });

  it('a completed document cannot be changed', () => {
    expect(stateConflictOf('update', 'completed')).toContain(
      'The document is completed, not draft. Only a draft may be changed',
    );
  });

  it.each(['update', 'send', 'set expired'] as const)('an uploaded document is not ready to %s', (action) => {
    expect(stateConflictOf(action, 'uploaded')).toContain('still being made');
  });

  it('a document in error is no document to work with', () => {
    expect(stateConflictOf('send', 'error')).toContain('could not be made');
  });

  it('a draft is no reason, and neither is an approved document that is sent', () => {
    expect(stateConflictOf('update', 'draft')).toBeNull();
    expect(stateConflictOf('send', 'draft')).toBeNull();
    expect(stateConflictOf('send', 'approved')).toBeNull();
    expect(stateConflictOf('update', 'approved')).not.toBeNull();
  });

  it('a state is not set twice, and another is never the reason', () => {
    expect(stateConflictOf('set declined', 'declined')).toBe('The document is declined already.');
    expect(stateConflictOf('set declined', 'completed')).toBeNull();
  });
});
