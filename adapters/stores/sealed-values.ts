import type { SealedRow, SealedRows } from '#adapters/contracts/change-stores.ts';
import type { KeyCount, Reencrypted, SealedValues } from '#adapters/contracts/sealed-values.ts';
import { bodyContext, sealedTexts } from '#adapters/stores/sealed-stores.ts';
import type { ConnectionStore } from '#application/ports/connections.ts';
import type { WebhookInboxStore } from '#application/ports/webhook-inbox.ts';
import type { TokenRecord } from '#domain/tokens/token-record.ts';
import { type AesGcmBox, countByKey } from '#infrastructure/crypto/aes-gcm-box.ts';

const batchSize = 100;

type Progress = Omit<Reencrypted, 'total'>;

/** Encrypted texts, and how those of former keys are re-encrypted. */
type Batch = Readonly<{ texts: readonly string[]; reencrypt(): Promise<Progress> }>;

/** Counts and re-encrypts (key rotation) the values in batches. */
class BatchedValues implements SealedValues {
  readonly name: string;
  readonly #box: AesGcmBox;
  readonly #batches: () => AsyncIterable<Batch>;

  constructor(name: string, box: AesGcmBox, batches: () => AsyncIterable<Batch>) {
    this.name = name;
    this.#box = box;
    this.#batches = batches;
  }

  async count(): Promise<readonly KeyCount[]> {
    const keyIds = new Map<string, number>();
    for await (const { texts } of this.#batches()) {
      for (const [keyId, values] of countByKey(texts)) keyIds.set(keyId, (keyIds.get(keyId) ?? 0) + values);
    }
    return this.#box.keyCounts(keyIds);
  }

  async reencrypt(onBatch: (sofar: Reencrypted) => void, signal: AbortSignal): Promise<Reencrypted> {
    const total = (await this.count()).reduce((sum, { isCurrent, values }) => sum + (isCurrent ? 0 : values), 0);
    let sofar: Reencrypted = { reencrypted: 0, unreadable: 0, total };
    if (total === 0) return sofar;
    for await (const batch of this.#batches()) {
      if (signal.aborted) break;
      if (!batch.texts.some((text) => this.#box.isOutdated(text))) continue;
      const { reencrypted, unreadable } = await batch.reencrypt();
      sofar = { total, reencrypted: sofar.reencrypted + reencrypted, unreadable: sofar.unreadable + unreadable };
      onBatch(sofar);
    }
    return sofar;
  }
}

type Credentials = Pick<ConnectionStore, 'places' | 'reload' | 'rewrite'>;

/** The stored credentials of all connections, over any store. */
export function sealedCredentials(store: Credentials, box: AesGcmBox): SealedValues {
  return new BatchedValues('connections', box, async function* () {
    const places = await store.places();
    for (let at = 0; at < places.length; at += batchSize) {
      const records: TokenRecord[] = [];
      for (const { userId, service } of places.slice(at, at + batchSize)) {
        const found = await store.reload(userId, service);
        if (found !== null) records.push(found.record);
      }
      const texts = records.flatMap((record) => sealedTexts(record).map(({ text }) => text));
      yield { texts, reencrypt: () => reencryptRecords(store, box, records) };
    }
  });
}

async function reencryptRecords(
  store: Credentials,
  box: AesGcmBox,
  records: readonly TokenRecord[],
): Promise<Progress> {
  let [reencrypted, unreadable] = [0, 0];
  for (const before of records) {
    const outdated = sealedTexts(before).filter(({ text }) => box.isOutdated(text));
    const after = outdated.map(({ member, text, context }) => [member, box.resealed(text, context)] as const);
    if (after.some(([, text]) => text === null)) unreadable += outdated.length;
    // A value that was stored in the meantime is already encrypted with the current key.
    else if (after.length > 0 && (await store.rewrite(before, { ...before, ...Object.fromEntries(after) })))
      reencrypted += after.length;
  }
  return { reencrypted, unreadable };
}

/** The stored bodies of deliveries, over any inbox. */
export function sealedBodies(store: Pick<WebhookInboxStore, 'bodies' | 'rewriteBodies'>, box: AesGcmBox): SealedValues {
  return new BatchedValues('deliveries', box, async function* () {
    for (let after = -1; ; ) {
      const stored = await store.bodies({ after, limit: batchSize });
      const last = stored.at(-1);
      if (last === undefined) return;
      const reencrypt = async () => {
        const outdated = stored.filter(({ body }) => box.isOutdated(body));
        const changes = outdated.flatMap((one) => {
          const body = box.resealed(one.body, bodyContext(one));
          return body === null ? [] : [{ seq: one.seq, before: one.body, after: body }];
        });
        return { reencrypted: await store.rewriteBodies(changes), unreadable: outdated.length - changes.length };
      };
      yield { texts: stored.map(({ body }) => body), reencrypt };
      after = last.seq;
    }
  });
}

/** The maximum number of rows at once of a store whose rows may be large. */
const largeBatchSize = 10;

/** The encrypted texts of a store's rows; `contextOf` is what a text is bound to. */
export function sealedRows<Member extends string>(
  name: string,
  store: SealedRows<Member>,
  { box, contextOf }: Readonly<{ box: AesGcmBox; contextOf: (member: string, id: string) => string }>,
): SealedValues {
  return new BatchedValues(name, box, async function* () {
    for (let after: string | null = null; ; ) {
      const rows: readonly SealedRow<Member>[] = await store.sealedRows({ after, limit: largeBatchSize });
      const last = rows.at(-1);
      if (last === undefined) return;
      const texts = rows.flatMap((row) => textsOf(row).map(({ text }) => text));
      yield { texts, reencrypt: () => resealRows(store, rows, { box, contextOf }) };
      after = last.id;
    }
  });
}

function textsOf<Member extends string>({ texts }: SealedRow<Member>) {
  return Object.entries<string | null>(texts).flatMap(([member, text]) => (text === null ? [] : [{ member, text }]));
}

async function resealRows<Member extends string>(
  store: SealedRows<Member>,
  rows: readonly SealedRow<Member>[],
  { box, contextOf }: Readonly<{ box: AesGcmBox; contextOf: (member: string, id: string) => string }>,
): Promise<Progress> {
  let [reencrypted, unreadable] = [0, 0];
  for (const row of rows) {
    const outdated = textsOf(row).filter(({ text }) => box.isOutdated(text));
    const after = outdated.map(({ member, text }) => [member, box.resealed(text, contextOf(member, row.id))] as const);
    if (after.some(([, text]) => text === null)) unreadable += outdated.length;
    else if (after.length > 0 && (await store.reseal(row, { ...row.texts, ...Object.fromEntries(after) })))
      reencrypted += after.length;
  }
  return { reencrypted, unreadable };
}
