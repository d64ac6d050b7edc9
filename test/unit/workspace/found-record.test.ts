import { describe, expect, it } from 'vitest';
import { fitOf, mergedHits, type WorkspaceHit } from '#domain/workspace/found-record.ts';

const hit = (service: string, title: string, time: string | null = null): WorkspaceHit => ({
  service,
  kind: 'note',
  id: title,
  title,
  state: null,
  time,
  link: null,
});
const titles = (hits: readonly WorkspaceHit[]) => hits.map(({ title }) => title);

describe('the hits of several services', () => {
  it('are ordered by how well the title fits, then by place, then by time (WORK-004)', () => {
    const lists = [
      [hit('vault', 'Something'), hit('vault', 'Acme renewal plan')],
      [hit('tracker', 'Old', '2026-01-01'), hit('tracker', 'acme RENEWAL')],
      [hit('signing', 'New', '2026-02-01'), hit('signing', 'Acme')],
    ];
    expect(titles(mergedHits(lists, 'Acme renewal', 10))).toEqual([
      'acme RENEWAL',
      'Acme renewal plan',
      'Acme',
      'New',
      'Old',
      'Something',
    ]);
  });

  it('name a record once, and end at the limit (WORK-004)', () => {
    const lists = [
      [hit('a', 'one'), hit('a', 'two')],
      [hit('a', 'one'), hit('b', 'one')],
    ];
    expect(mergedHits(lists, 'one', 10).map(({ service, title }) => `${service} ${title}`)).toEqual([
      'a one',
      'b one',
      'a two',
    ]);
    expect(mergedHits(lists, 'one', 1)).toHaveLength(1);
  });

  it.each([
    ['Café Müller', 'cafe\u0301 mu\u0308ller', 3],
    ['Nordlicht: 40 licences', 'licences nordlicht', 2],
    ['Nordlicht', 'nordlicht energie', 1],
    ['Nordlichter', 'nordlicht', 0],
    ['日本', '日本', 3],
    ['…', '!', 0],
  ] as const)('"%s" fits "%s" by %i (WORK-004)', (title, query, fit) => {
    expect(fitOf(title, query)).toBe(fit);
  });
});
