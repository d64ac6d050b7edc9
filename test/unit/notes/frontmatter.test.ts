import { expect, it } from 'vitest';
import { hasValue } from '#domain/notes/frontmatter.ts';

it('the frontmatter reader finds what a note already has', () => {
  const frontmatter = { status: 'Done', labels: ['a'], assignee: null };
  expect(hasValue(frontmatter, 'status', 'Done')).toBe(true);
  expect(hasValue(frontmatter, 'labels', ['a'])).toBe(true);
  expect(hasValue(frontmatter, 'assignee', null)).toBe(true);
  expect(hasValue(frontmatter, 'labels', ['b'])).toBe(false);
  expect(hasValue(frontmatter, 'project', null)).toBe(false);
  expect(hasValue(frontmatter, 'constructor', null)).toBe(false);
});
