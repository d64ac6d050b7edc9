import { describe, expect, it } from 'vitest';
import type { RequestRow } from '#adapters/services/requests/operation-table.ts';
import { outcomeOf } from '#adapters/services/requests/outcome-of.ts';
import { rows } from '#adapters/services/tracker/rows.ts';
import type { Outcome } from '#domain/operations/outcome.ts';
import type { TokenRecord } from '#domain/tokens/token-record.ts';
import { tokenRecord } from '#test/support/connections/token-record.ts';
import { trackerProvider } from '#test/support/services/providers.ts';

const record: TokenRecord = tokenRecord('tracker');
const provider = trackerProvider({
  dialect: 'neutral',
  url: 'https://tracker.test',
  authorizeUrl: null,
  tokenUrl: null,
});
const reader = { provider, record };

/** What an answer of a row comes to. */
function outcome(row: RequestRow, body: unknown, more: Readonly<{ status?: number; inputs?: object }> = {}): Outcome {
  const bytes = new TextEncoder().encode(JSON.stringify(body));
  const answer = { kind: 'answer', status: more.status ?? 200, headers: {}, body: bytes } as const;
  return outcomeOf(row, { ...more.inputs }, answer, reader);
}

const error = (message: string, extensions: object = {}) => ({ data: null, errors: [{ message, extensions }] });

describe('errors alone are a failure, by their code or type (TRACK-005)', () => {
  it.each([
    ['RATELIMITED', 'ratelimited', 200, 'rate_limited'],
    ['RATELIMITED', 'ratelimited', 400, 'rate_limited'],
    ['RATELIMITED', 'ratelimited', 429, 'rate_limited'],
    ['AUTHENTICATION_ERROR', 'authentication error', 200, 'unauthorized'],
    ['AUTHENTICATION_ERROR', 'authentication error', 401, 'unauthorized'],
    ['FORBIDDEN', 'forbidden', 200, 'forbidden'],
    ['INVALID_INPUT', 'invalid input', 200, 'invalid_input'],
    ['GRAPHQL_VALIDATION_FAILED', 'graphql error', 400, 'invalid_input'],
    ['INTERNAL_SERVER_ERROR', 'internal error', 200, 'unavailable'],
  ])('%s (%s) with status %i is %s as well', (code, type, status, reason) => {
    expect(outcome(rows['viewer.get'], error('No', { code }), { status })).toMatchObject({ ok: false, reason });
    expect(outcome(rows['viewer.get'], error('No', { type }), { status })).toMatchObject({ ok: false, reason });
  });

  it('and a missing record is not_found, although it is reported as invalid input', () => {
    const body = error('Entity not found: Issue', {
      code: 'INPUT_ERROR',
      type: 'invalid input',
      userPresentableMessage: 'Could not find referenced Issue.',
    });
    expect(outcome(rows['issues.get'], body)).toMatchObject({
      ok: false,
      reason: 'not_found',
      message: 'The tracker refused: Could not find referenced Issue.',
    });
  });

  it("and an unknown code is rejected, with the provider's reason as data", () => {
    expect(outcome(rows['viewer.get'], error('Out of tea', { code: 'TEAPOT' }))).toEqual({
      ok: false,
      reason: 'rejected',
      message: 'The tracker refused: Out of tea.',
      sent: 'yes',
      details: [{ message: 'Out of tea', code: 'TEAPOT' }],
    });
  });

  it('and without a code, the status decides', () => {
    expect(outcome(rows['viewer.get'], error('Down'), { status: 503 })).toMatchObject({ reason: 'unavailable' });
  });

  it('and data whose every field is null is no data', () => {
    const body = { data: { issue: null }, errors: [{ message: 'Entity not found: Issue' }] };
    expect(outcome(rows['issues.get'], body)).toMatchObject({ ok: false, reason: 'not_found' });
  });
});

describe('data with errors is a success with warnings', () => {
  it('and has the data, and what went wrong (TRACK-005)', () => {
    const body = { data: { viewer: { id: 'u' } }, errors: [{ message: 'No e-mail address' }] };
    expect(outcome(rows['viewer.get'], body)).toEqual({
      ok: true,
      data: { id: 'u' },
      warnings: ['Not all of it came: No e-mail address'],
    });
  });
});

describe('a mutation', () => {
  it('that did not succeed is rejected', () => {
    const body = { data: { issueCreate: { success: false, issue: null } } };
    expect(outcome(rows['issues.create'], body)).toMatchObject({ ok: false, reason: 'rejected' });
  });

  it('answers the affected object', () => {
    const body = { data: { issueCreate: { success: true, issue: { id: 'i' } } } };
    expect(outcome(rows['issues.create'], body)).toEqual({ ok: true, data: { id: 'i' } });
  });

  it('answers the entity of an archiving, and the id of a deletion', () => {
    const archived = { data: { issueArchive: { success: true, entity: { id: 'i' } } } };
    expect(outcome(rows['issues.archive'], archived)).toEqual({ ok: true, data: { id: 'i' } });
    const deleted = { data: { commentDelete: { success: true, entityId: 'c' } } };
    expect(outcome(rows['comments.delete'], deleted)).toEqual({ ok: true, data: { entityId: 'c' } });
  });
});

describe('a list', () => {
  const pageInfo = { hasNextPage: true, hasPreviousPage: true, startCursor: 'first', endCursor: 'last' };
  const body = { data: { issues: { nodes: [{ id: 'i', labels: { nodes: [{ name: 'Bug' }] } }], pageInfo } } };

  it('continues at its end', () => {
    expect(outcome(rows['issues.list'], body, { inputs: { first: 1 } })).toEqual({
      ok: true,
      data: [{ id: 'i', labels: [{ name: 'Bug' }] }],
      pagination: { next: 'last', hasMore: true },
    });
  });

  it('continues at its beginning when it is read backwards', () => {
    expect(outcome(rows['issues.list'], body, { inputs: { last: 1 } })).toMatchObject({
      pagination: { next: 'first', hasMore: true },
    });
  });

  it('has no next page at its end', () => {
    const end = { data: { issues: { nodes: [], pageInfo: { ...pageInfo, hasNextPage: false } } } };
    expect(outcome(rows['issues.list'], end, { inputs: { first: 1 } })).toMatchObject({
      data: [],
      pagination: { next: null, hasMore: false },
    });
  });

  it('is found inside the record that it belongs to', () => {
    const comments = { data: { issue: { comments: { nodes: [{ id: 'c' }], pageInfo: { hasNextPage: false } } } } };
    expect(outcome(rows['comments.list'], comments)).toMatchObject({ ok: true, data: [{ id: 'c' }] });
  });
});

describe('an answer that is no GraphQL answer', () => {
  it.each([
    ['a page', '<html>'],
    ['another shape', { issues: [] }],
    ['nothing', {}],
  ])('%s is unavailable', (_, body) => {
    expect(outcome(rows['issues.list'], body)).toMatchObject({ ok: false, reason: 'unavailable' });
  });
});
