import { describe, expect, it } from 'vitest';
import { startAt, webhookHouse } from '#test/support/webhook-house.ts';
import { documentPayload, signingDelivery } from '#test/support/webhook-senders.ts';

const path = 'Contracts/Agreement.md';
type House = ReturnType<typeof webhookHouse>;

const noteAt = async (house: House, at = path) => {
  const read = await house.vault.read(at);
  if (!read.ok || read.value === null) throw new Error(`no note at ${at}, but ${house.vault.paths.join(', ')}`);
  return read.value;
};
const event = (house: House, name: string, data: Readonly<Record<string, unknown>> = {}, later = 0) =>
  house.take(signingDelivery(documentPayload(startAt + later, name, data)));
const stateChanged = 'document_state_changed';
const pdfReady = 'document_completed_pdf_ready';
const url = 'https://portolan.example/api/signing/documents/doc1/download';

describe('document_state_changed', () => {
  it('sets the status of the contract note and tells the change under Status History (REACT-003, REACT-006)', async () => {
    const house = webhookHouse();
    await event(house, stateChanged);
    await event(house, stateChanged, { status: 'document.viewed' }, 1000);
    const { content, frontmatter } = await noteAt(house);
    expect(frontmatter).toEqual({ signing_document_id: 'doc1', title: 'Agreement', status: 'document.viewed' });
    expect(content).toContain('# Contract\n');
    expect(content).toMatch(
      /## Status History\n- 2026-01-23 12:53 UTC: status → document.sent \^evt-\w+\n- .*: status → document.viewed \^evt-\w+\n/,
    );
  });

  it('that comes late does not overwrite the status', async () => {
    const house = webhookHouse();
    await event(house, stateChanged, { status: 'document.completed' }, 1000);
    await event(house, stateChanged, { status: 'document.sent' });
    expect((await noteAt(house)).frontmatter).toMatchObject({ status: 'document.completed' });
    expect((await noteAt(house)).content.match(/\^evt-/g)).toHaveLength(2);
  });
});

describe('document_completed_pdf_ready', () => {
  it('adds a download link to the contract note (REACT-004)', async () => {
    const house = webhookHouse();
    await event(house, stateChanged);
    await event(house, pdfReady, { status: 'document.completed' }, 1000);
    const { content, frontmatter } = await noteAt(house);
    expect(frontmatter).toMatchObject({ download_url: url, status: 'document.completed' });
    expect(content).toContain(`- [Download the signed PDF](<${url}>) ^evt-`);
  });

  it('adds it once, however often it is told, and late too (REACT-004)', async () => {
    const house = webhookHouse();
    await event(house, stateChanged, {}, 5000);
    await event(house, pdfReady, {}, 1000);
    await event(house, pdfReady, {}, 2000);
    expect((await noteAt(house)).content.match(/Download the signed PDF/g)).toHaveLength(1);
  });

  it('makes the note when there is none', async () => {
    const house = webhookHouse();
    await event(house, pdfReady, { name: null });
    expect(house.vault.paths).toEqual(['Contracts/Document doc1.md']);
  });

  it('makes an address of any id', async () => {
    const house = webhookHouse();
    await event(house, pdfReady, { id: 'a/../b?c' });
    expect((await noteAt(house)).frontmatter).toMatchObject({
      download_url: 'https://portolan.example/api/signing/documents/a%2F..%2Fb%3Fc/download',
    });
  });
});

describe('an array of events', () => {
  it('has each event take effect in its order, and is kept once', async () => {
    const house = webhookHouse();
    const both = signingDelivery([
      documentPayload(startAt, stateChanged, { status: 'document.completed' }),
      documentPayload(startAt, pdfReady, { status: 'document.completed' }),
    ]);
    await house.take(both);
    await house.take(both);
    expect((await noteAt(house)).frontmatter).toMatchObject({ status: 'document.completed', download_url: url });
    expect(await house.inbox.counts()).toMatchObject({ done: 2 });
  });

  it('of more than a thousand is refused whole', async () => {
    const house = webhookHouse();
    const many = Array.from({ length: 1001 }, () => documentPayload(startAt, stateChanged));
    expect(await house.receive.run(signingDelivery(many))).toMatchObject({ failure: { reason: 'too_large' } });
    expect(await house.inbox.list({ limit: 1 })).toEqual([]);
  });
});
