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

describe('the state of a document', () => {
  it.each([
    ['document.uploaded', 'uploaded'],
    ['document.draft', 'draft'],
    ['sent', 'sent'],
    ['document.voided', 'expired'],
    ['document.waiting_approval', 'waiting_approval'],
    ['Document.Completed', 'completed'],
  ])('is read from the service: %s is %s', (text, state) => expect(documentStateOf(text)).toBe(state));

  it.each(['document.lost', '', 'document.', 7, null, undefined])('is not read from %j', (text) =>
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

describe('the life cycle of a document', () => {
  it.each(plannedMoves)('leads from %s, by %s, to %s (SIGN-010)', (from, trigger, to) =>
    expect(stateAfter(from, trigger)).toBe(to),
  );

  it('moves no other state by those actions', () => {
    for (const [from, trigger] of plannedMoves) {
      for (const state of documentStates)
        if (state !== from && !(state === 'approved' && trigger === 'send'))
          expect(stateAfter(state, trigger)).toBeNull();
    }
  });

  it('ends in error when creation fails', () => expect(stateAfter('uploaded', 'creation failed')).toBe('error'));

  it.each(everyState)('leads back to draft from %s (SIGN-010)', (state) =>
    expect(stateAfter(state, 'revert to draft')).toBe('draft'),
  );

  it.each(['completed', 'expired', 'declined'] as const)('allows any document to be set to %s', (to) => {
    for (const state of documentStates) expect(stateAfter(state, `set ${to}`)).toBe(to);
  });

  it('counts only an uploaded document as being created', () => {
    expect(documentStates.filter(isBeingCreated)).toEqual(['uploaded']);
  });
});

describe('the state explains a refusal', () => {
  it('to send a sent document', () => {
    expect(stateConflictOf('send', 'sent')).toBe(
      'The document is sent, not draft. Only a draft may be sent: revert it to draft first, which clears its signatures.',
    );
  });

  it('to change a completed document', () => {
    expect(stateConflictOf('update', 'completed')).toContain(
      'The document is completed, not draft. Only a draft may be changed',
    );
  });

  it.each(['update', 'send', 'set expired'] as const)('because an uploaded document cannot yet %s', (action) => {
    expect(stateConflictOf(action, 'uploaded')).toContain('still being made');
  });

  it('to work with a document in error', () => {
    expect(stateConflictOf('send', 'error')).toContain('could not be made');
  });

  it('except for a draft, or an approved document that is sent', () => {
    expect(stateConflictOf('update', 'draft')).toBeNull();
    expect(stateConflictOf('send', 'draft')).toBeNull();
    expect(stateConflictOf('send', 'approved')).toBeNull();
    expect(stateConflictOf('update', 'approved')).not.toBeNull();
  });

  it('to set the same state again, and is never given for another', () => {
    expect(stateConflictOf('set declined', 'declined')).toBe('The document is declined already.');
    expect(stateConflictOf('set declined', 'completed')).toBeNull();
  });
});
