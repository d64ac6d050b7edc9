import { describe, expect, it } from 'vitest';
import { startAt, webhookHarness } from '#test/support/webhooks/webhook-harness.ts';
import { documentPayload, signingDelivery } from '#test/support/webhooks/webhook-senders.ts';

const path = 'Contracts/Agreement.md';
type Harness = ReturnType<typeof webhookHarness>;

const noteAt = async (harness: Harness, at = path) => {
  const read = await harness.vault.read(at);
  if (!read.ok || read.value === null) throw new Error(`no note at ${at}, but ${harness.vault.paths.join(', ')}`);
  return read.value;
};
const event = (harness: Harness, name: string, data: Readonly<Record<string, unknown>> = {}, later = 0) =>
  harness.take(signingDelivery(documentPayload(startAt + later, name, data)));
const stateChanged = 'document_state_changed';
const pdfReady = 'document_completed_pdf_ready';
const url = 'https://portolan.example/api/signing/documents/doc1/download';

describe('document_state_changed', () => {
  it('sets the status of the contract note and adds the change under Status History (REACT-003, REACT-006)', async () => {
    const harness = webhookHarness();
    await event(harness, stateChanged);
    await event(harness, stateChanged, { status: 'document.viewed' }, 1000);
    const { content, frontmatter } = await noteAt(harness);
    expect(frontmatter).toEqual({ signing_document_id: 'doc1', title: 'Agreement', status: 'document.viewed' });
    expect(content).toContain('# Contract\n');
    expect(content).toMatch(
      /## Status History\n- 2026-01-23 12:53 UTC: status → document.sent \^evt-\w+\n- .*: status → document.viewed \^evt-\w+\n/,
    );
  });

  it('does not overwrite the status if it is late', async () => {
    const harness = webhookHarness();
    await event(harness, stateChanged, { status: 'document.completed' }, 1000);
    await event(harness, stateChanged, { status: 'document.sent' });
    expect((await noteAt(harness)).frontmatter).toMatchObject({ status: 'document.completed' });
    expect((await noteAt(harness)).content.match(/\^evt-/g)).toHaveLength(2);
  });
});

describe('document_completed_pdf_ready', () => {
  it('adds a download link to the contract note (REACT-004)', async () => {
    const harness = webhookHarness();
    await event(harness, stateChanged);
    await event(harness, pdfReady, { status: 'document.completed' }, 1000);
    const { content, frontmatter } = await noteAt(harness);
    expect(frontmatter).toMatchObject({ download_url: url, status: 'document.completed' });
    expect(content).toContain(`- [Download the signed PDF](<${url}>) ^evt-`);
  });

  it('adds it once, however often it arrives, and also when it is late (REACT-004)', async () => {
    const harness = webhookHarness();
    await event(harness, stateChanged, {}, 5000);
    await event(harness, pdfReady, {}, 1000);
    await event(harness, pdfReady, {}, 2000);
    expect((await noteAt(harness)).content.match(/Download the signed PDF/g)).toHaveLength(1);
  });

  it('creates the note if there is none', async () => {
    const harness = webhookHarness();
    await event(harness, pdfReady, { name: null });
    expect(harness.vault.paths).toEqual(['Contracts/Document doc1.md']);
  });

  it('builds an address from any id', async () => {
    const harness = webhookHarness();
    await event(harness, pdfReady, { id: 'a/../b?c' });
    expect((await noteAt(harness)).frontmatter).toMatchObject({
      download_url: 'https://portolan.example/api/signing/documents/a%2F..%2Fb%3Fc/download',
    });
  });
});

describe('an array of events', () => {
  it('applies each event in order, and is stored once', async () => {
    const harness = webhookHarness();
    const both = signingDelivery([
      documentPayload(startAt, stateChanged, { status: 'document.completed' }),
      documentPayload(startAt, pdfReady, { status: 'document.completed' }),
    ]);
    await harness.take(both);
    await harness.take(both);
    expect((await noteAt(harness)).frontmatter).toMatchObject({ status: 'document.completed', download_url: url });
    expect(await harness.inbox.counts()).toMatchObject({ done: 2 });
  });

  it('is refused as a whole with more than a thousand', async () => {
    const harness = webhookHarness();
    const many = Array.from({ length: 1001 }, () => documentPayload(startAt, stateChanged));
    expect(await harness.receive.run(signingDelivery(many))).toMatchObject({ failure: { reason: 'too_large' } });
    expect(await harness.inbox.list({ limit: 1 })).toEqual([]);
  });
});
