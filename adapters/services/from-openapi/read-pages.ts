import type { GoodAnswer } from '#adapters/services/definitions/dialect.ts';
import { valueAt } from '#adapters/services/from-openapi/json.ts';
import type { Paging } from '#adapters/services/from-openapi/paging.ts';
import { textOf } from '#adapters/services/from-openapi/parameter-text.ts';
import { type Outcome, succeeded } from '#domain/operations/outcome.ts';
import { own } from '#domain/shared/own.ts';
import { queryFields } from '#domain/shared/query-fields.ts';

/**
 * Reads a successful answer of a paged list: its items, and the value to request next. `input` is the paging input's
 * name.
 */
export function readPage(paging: Paging, input: string, answer: GoodAnswer): Outcome {
  const list = paging.list === undefined ? answer.body : at(answer.body, paging.list);
  if (!Array.isArray(list)) return succeeded(answer.body);
  const asked = own(answer.inputs, input);
  const isCounted = paging.kind === 'page' || paging.kind === 'offset';
  const next = isCounted && list.length === 0 ? null : nextOf(paging, { answer, list, asked });
  // A repeated page would make the caller loop forever.
  const isNew = next !== null && next !== textOf(asked ?? '');
  return succeeded(list, { next: isNew ? next : null, hasMore: isNew });
}

type Page = Readonly<{ answer: GoodAnswer; list: readonly unknown[]; asked: unknown }>;

function nextOf(paging: Paging, { answer, list, asked }: Page): string | null {
  const { body, headers } = answer;
  switch (paging.kind) {
    case 'cursor':
      return cursorIn(at(body, paging.next), paging.input);
    case 'link':
      return cursorIn(nextLink(headers['link']), paging.input);
    case 'page':
      return nextPage(paging, { answer, list, asked });
    case 'offset': {
      const next = (numberOr(asked) ?? 0) + list.length;
      const more = at(body, paging.more);
      const total = numberOr(at(body, paging.total));
      const isEnd = typeof more === 'boolean' ? !more : total !== null && next >= total;
      return isEnd ? null : String(next);
    }
  }
}

/** The value at a dotted path; undefined when no path is given. */
function at(body: unknown, path: string | undefined): unknown {
  return path === undefined ? undefined : valueAt(body, path.split('.'));
}

/** A cursor as it is, or the parameter within an address or path; null at the end. */
function cursorIn(value: unknown, parameter: string): string | null {
  if (typeof value === 'number') return String(value);
  if (typeof value !== 'string' || value === '') return null;
  const url = URL.parse(value, 'http://any');
  const within = url === null ? null : queryFields(url.search.slice(1)).get(parameter);
  if (within !== null && value.includes('?')) return within;
  return /^https?:\/\/|^\/|^\?/.test(value) ? null : value;
}

function nextPage(paging: Paging & { kind: 'page' }, { answer: { body, inputs }, asked }: Page): string | null {
  const first = paging.first ?? 1;
  const next = (numberOr(asked) ?? first) + 1;
  const [more, last] = [at(body, paging.more), at(body, paging.last)];
  if (typeof more === 'boolean') return more ? String(next) : null;
  if (typeof last === 'boolean') return last ? null : String(next);
  const total = numberOr(at(body, paging.total));
  const size = numberOr(own(inputs, paging.size ?? '') ?? paging.usualSize);
  const pages = numberOr(at(body, paging.pages)) ?? (total === null || size === null ? null : Math.ceil(total / size));
  return pages !== null && next - first >= pages ? null : String(next);
}

function numberOr(value: unknown): number | null {
  const number = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) ? number : null;
}

/** The address of the next page in a `Link` header; null on the last page. */
function nextLink(header: string | undefined): string | null {
  const links = (header ?? '').matchAll(/<([^<>]*)>([^<]*)/g);
  for (const [, address = '', parameters = ''] of links) {
    if (/;\s*rel="?(?:[^";]*\s)?next(?:\s[^";]*)?"?/i.test(parameters)) return address;
  }
  return null;
}
