import { z } from 'zod';
import type {
  ApprovalStore,
  KeptChangeStore,
  StoredApproval,
  StoredKeptChange,
} from '#adapters/contracts/change-stores.ts';
import { openedOrNull } from '#adapters/stores/sealed-stores.ts';
import type { Approvals } from '#application/ports/approvals.ts';
import type { KeptChanges, KeptSummary } from '#application/ports/kept-changes.ts';
import type { Approval, ApprovalContent } from '#domain/changes/approval.ts';
import type { KeptChange, KeptContent } from '#domain/changes/kept-change.ts';
import type { ShownDifference } from '#domain/changes/shown-difference.ts';
import type { Outcome } from '#domain/operations/outcome.ts';
import { type AesGcmBox, NotOpened } from '#infrastructure/crypto/aes-gcm-box.ts';

type Box = Pick<AesGcmBox, 'seal' | 'open'>;

const differences = z.array(z.custom<ShownDifference>());
const keptContent: z.ZodType<KeptContent> = z.object({
  differences,
  undo: z.record(z.string(), z.unknown()).nullable(),
  irreversible: z.string().nullable(),
  explain: z.string().nullable(),
});
const approvalContent: z.ZodType<ApprovalContent> = z.object({
  input: z.unknown(),
  undoOf: z.string().nullable(),
  differences,
  explain: z.string().nullable(),
  irreversible: z.string().nullable(),
});
const outcomes = z.custom<Outcome>();

const nothing = 'Nothing was kept from which it could be taken back.';
const unreadable = 'What it changed was encrypted with a key that this server does not have.';

/** The context that the encryption of a kept change's text is bound to. */
export const keptContext = (member: string, id: string): string => `kept_changes/${member}/${id}`;

/** The context that the encryption of an approval's text is bound to. */
export const approvalContext = (member: string, id: string): string => `approvals/${member}/${id}`;

/**
 * Encrypts the contents of kept changes before they are stored, and decrypts them on reading. One that cannot be
 * decrypted cannot be taken back.
 */
export function sealedKeptChanges(store: KeptChangeStore, box: Box): KeptChanges {
  const sealed = (id: string, content: KeptContent) => ({
    content: box.seal(JSON.stringify(content), keptContext('content', id)),
    // Listed changes say only why they cannot be taken back at all.
    irreversible:
      content.undo === null ? box.seal(content.irreversible ?? nothing, keptContext('irreversible', id)) : null,
  });
  const summary = (one: KeptSummary): KeptSummary => {
    if (one.irreversible === null) return one;
    const irreversible = openedOrNull(box, one.irreversible, keptContext('irreversible', one.id)) ?? unreadable;
    return { ...one, irreversible };
  };
  const opened = (stored: StoredKeptChange): KeptChange => {
    const { irreversible: _, content: text, ...head } = stored;
    const json = openedOrNull(box, text, keptContext('content', head.id));
    const lost = { differences: [], undo: null, irreversible: unreadable, explain: null };
    return { ...head, content: json === null ? lost : keptContent.parse(JSON.parse(json)) };
  };
  return {
    keep: ({ content, ...head }) => store.keep({ ...head, ...sealed(head.id, content) }),
    settle: (id, { recordId, content }) =>
      store.settle(id, { recordId, ...(content === undefined ? {} : sealed(id, content)) }),
    remove: (id) => store.remove(id),
    find: async (id) => {
      const found = await store.find(id);
      return found === null ? null : opened(found);
    },
    list: async (query) => (await store.list(query)).map(summary),
    summaries: async (ids) => (await store.summaries(ids)).map(summary),
    move: (id, from, to) => store.move(id, from, to),
    removeOf: (userId) => store.removeOf(userId),
    prune: (before) => store.prune(before),
  };
}

/**
 * Encrypts what approvals are for, their outcomes and people's comments before they are stored, and decrypts them on
 * reading. One that cannot be decrypted is left out: nobody can decide it.
 */
export function sealedApprovals(store: ApprovalStore, box: Box): Approvals {
  const seal = (member: string, id: string, value: unknown) =>
    box.seal(JSON.stringify(value), approvalContext(member, id));
  const sealOrNull = (member: string, id: string, value: unknown) => (value === null ? null : seal(member, id, value));
  const open = (member: string, id: string, text: string | null): unknown =>
    text === null ? null : JSON.parse(box.open(text, approvalContext(member, id)));
  const opened = (stored: StoredApproval): readonly Approval[] => {
    const { id } = stored;
    try {
      const content = approvalContent.parse(open('content', id, stored.content));
      const outcome = outcomes.nullable().parse(open('outcome', id, stored.outcome));
      const comment = z
        .string()
        .nullable()
        .parse(open('comment', id, stored.comment));
      return [{ ...stored, content, outcome, comment }];
    } catch (error) {
      if (error instanceof NotOpened) return [];
      throw error;
    }
  };
  return {
    keep: async (approval) => {
      const { content, outcome, comment, ...head } = approval;
      const kept = await store.keep({
        ...head,
        content: seal('content', head.id, content),
        outcome: sealOrNull('outcome', head.id, outcome),
        comment: sealOrNull('comment', head.id, comment),
      });
      return kept.id === approval.id ? approval : (opened(kept)[0] ?? approval);
    },
    find: async (id) => {
      const found = await store.find(id);
      return found === null ? null : (opened(found)[0] ?? null);
    },
    list: async (query) => (await store.list(query)).flatMap(opened),
    waiting: (place) => store.waiting(place),
    move: (id, from, { comment, ...to }) =>
      store.move(id, from, comment === undefined ? to : { ...to, comment: sealOrNull('comment', id, comment) }),
    end: (id, outcome, until) => store.end(id, seal('outcome', id, outcome), until),
    renew: (id, renewed) => store.renew(id, { ...renewed, content: seal('content', id, renewed.content) }),
    removeOf: (userId, grantId) => store.removeOf(userId, grantId),
    prune: (before) => store.prune(before),
  };
}
