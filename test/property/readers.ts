import { z } from 'zod';
import { documentLifetimeMs } from '#adapters/client-documents/document-lifetime.ts';
import { shownText } from '#adapters/http/answers/templates.ts';
import { credentialsOf } from '#adapters/http/middleware/authentication.ts';
import { checkedFormQuery, checkedQuery, checkedValue } from '#adapters/http/requests/checked-input.ts';
import { fieldOf } from '#adapters/http/requests/form-fields.ts';
import { checkInput, schemaErrors } from '#adapters/input/check-input.ts';
import { describedValue } from '#adapters/input/expectation.ts';
import { jsonOrAsIs, wholeNumber } from '#adapters/input/texts.ts';
import * as remoteOffers from '#adapters/mcp-client/read-offers.ts';
import { readListed, toolBounds } from '#adapters/mcp-client/read-tools.ts';
import { formattedTime } from '#adapters/reactions/formatted-time.ts';
import { withQuotedLines } from '#adapters/reactions/unquoted-lines.ts';
import { isKeptAs } from '#adapters/services/changes/kept-values.ts';
import { readError as openApiError } from '#adapters/services/from-openapi/errors.ts';
import { fromOpenApi } from '#adapters/services/from-openapi/from-openapi.ts';
import * as openApiNames from '#adapters/services/from-openapi/names.ts';
import * as parameterText from '#adapters/services/from-openapi/parameter-text.ts';
import { readPage } from '#adapters/services/from-openapi/read-pages.ts';
import { nameIn } from '#adapters/services/requests/file-answer.ts';
import { givenAddressError } from '#adapters/services/requests/given-address.ts';
import { hubspotWebhookSource } from '#adapters/services/sales-crm/hubspot/webhook-source.ts';
import { readError as salesCrmError } from '#adapters/services/sales-crm/neutral/errors.ts';
import * as salesCrm from '#adapters/services/sales-crm/neutral/webhook-payload.ts';
import * as signing from '#adapters/services/signing/neutral/webhook-payload.ts';
import { boundedCoql, coqlError, hasBounds } from '#adapters/services/suite-crm/inputs/coql.ts';
import { criteriaError, escapeCriteriaValue } from '#adapters/services/suite-crm/inputs/criteria.ts';
import * as suiteCrm from '#adapters/services/suite-crm/neutral/webhook-payload.ts';
import { suiteCrmWebhookSource } from '#adapters/services/suite-crm/neutral/webhook-source.ts';
import { toAdf } from '#adapters/services/tracker/jira/adf-from-markdown.ts';
import { toMarkdown } from '#adapters/services/tracker/jira/adf-to-markdown.ts';
import { quoted } from '#adapters/services/tracker/jira/jql.ts';
import { jiraWebhookSource } from '#adapters/services/tracker/jira/webhook-source.ts';
import { textOf } from '#adapters/services/tracker/neutral/errors.ts';
import * as tracker from '#adapters/services/tracker/neutral/webhook-payload.ts';
import { trackerPart } from '#adapters/services/tracker/neutral/webhook-source.ts';
import { folderPath } from '#adapters/services/vault/inputs.ts';
import * as signature from '#adapters/services/webhooks/webhook-signature.ts';
import { parsedTime } from '#adapters/services/webhooks/webhook-time.ts';
import { readTemplate, templateText } from '#adapters/templates/read-template.ts';
import { linkTargetsOf } from '#adapters/vault-folder/index/link-graph.ts';
import * as frontmatterTokens from '#adapters/vault-folder/notes/frontmatter-tokens.ts';
import * as mediaTypes from '#adapters/vault-rest/media-types.ts';
import type { WebhookSource } from '#application/ports/webhook-source.ts';
import type { SalesCrmEvent } from '#domain/events/sales-crm-event.ts';
import { codeBlockAt } from '#domain/notes/code-block.ts';
import { codeRanges } from '#domain/notes/code-ranges.ts';
import { contentTypeOf } from '#domain/notes/content-type.ts';
import { hasBlockId, withDatedLine } from '#domain/notes/dated-lines.ts';
import { renameHeading } from '#domain/notes/edits/rename-heading.ts';
import { renamedTag, renameTag } from '#domain/notes/edits/rename-tag.ts';
import { replaceText } from '#domain/notes/edits/replace-text.ts';
import { executableCode } from '#domain/notes/executable-code.ts';
import { hasValue } from '#domain/notes/frontmatter.ts';
import * as noteHeading from '#domain/notes/heading.ts';
import { inertFrontmatter } from '#domain/notes/inert-frontmatter.ts';
import { inlineTagPlaces, inlineTags } from '#domain/notes/inline-tags.ts';
import * as fileMeant from '#domain/notes/links/file-meant.ts';
import { headingLinks } from '#domain/notes/links/heading-links.ts';
import { movedLinks } from '#domain/notes/links/moved-links.ts';
import { linksOf, linkText } from '#domain/notes/links/note-links.ts';
import { blockIdAt } from '#domain/notes/markdown/block-id.ts';
import { htmlEndOf } from '#domain/notes/markdown/html-block.ts';
import * as lineMarks from '#domain/notes/markdown/line-marks.ts';
import { lineStart } from '#domain/notes/markdown/open-containers.ts';
import { scanMarkdown } from '#domain/notes/markdown/scan-markdown.ts';
import * as markdownText from '#domain/notes/markdown-text.ts';
import { dayTokens, formatted } from '#domain/notes/moment-format.ts';
import * as noteText from '#domain/notes/note-parts.ts';
import * as notePath from '#domain/notes/note-path.ts';
import { noteSection, sectionNamed } from '#domain/notes/note-section.ts';
import { filledTemplate } from '#domain/notes/note-template.ts';
import { textLines } from '#domain/notes/outline.ts';
import { continuesBlock } from '#domain/notes/patch/continued-block.ts';
import { findBlock } from '#domain/notes/patch/patch-block.ts';
import { tableWithRows } from '#domain/notes/patch/table-rows.ts';
import * as periodicNotes from '#domain/notes/periodic-notes.ts';
import { plainLanguageOf } from '#domain/notes/plain-languages.ts';
import { quotedMarkdown } from '#domain/notes/quoted-markdown.ts';
import * as patchHeadings from '#domain/notes/sections.ts';
import { defaultTemplates, fillBody, newNote } from '#domain/notes/templates.ts';
import { timeOfTrashId } from '#domain/notes/trash-id.ts';
import * as vaultPath from '#domain/notes/vault-path.ts';
import * as whichHeadings from '#domain/notes/which-heading.ts';
import { checkRedirect, readAuthorizationRequest, singleValue } from '#domain/oauth/authorization-request.ts';
import { hasSecret, registerClient } from '#domain/oauth/client.ts';
import * as clientDocument from '#domain/oauth/client-document.ts';
import * as redirectUri from '#domain/oauth/redirect-uri.ts';
import { partyOfPerson } from '#domain/parties/party.ts';
import { eventData, plainCopy } from '#domain/reaction-notes/event-data.ts';
import { FaultList } from '#domain/reaction-notes/fault-list.ts';
import * as filledPath from '#domain/reaction-notes/filled-path.ts';
import * as knownEvents from '#domain/reaction-notes/known-events.ts';
import { onceKey, onceMark } from '#domain/reaction-notes/once-key.ts';
import { statusLine, triggerText } from '#domain/reaction-notes/reaction-note.ts';
import { checkTemplates, readCalls } from '#domain/reaction-notes/read-calls.ts';
import { readReaction } from '#domain/reaction-notes/read-reaction.ts';
import { readTrigger } from '#domain/reaction-notes/read-trigger.ts';
import * as statusLines from '#domain/reaction-notes/status-line.ts';
import { templatedErrors } from '#domain/reaction-notes/templated-input.ts';
import type { WrittenReaction } from '#domain/reaction-notes/written-reaction.ts';
import { dealHistory } from '#domain/reactions/deal-history.ts';
import { readItem } from '#domain/remote-servers/remote-item.ts';
import { isRemoteTemplate, readRemoteUri, remoteUri } from '#domain/remote-servers/remote-uri.ts';
import { queryFields } from '#domain/shared/query-fields.ts';
import { foldedName, wordsInName } from '#domain/text/folded-name.ts';
import * as indexOfText from '#domain/text/index-of-text.ts';
import { nearestName } from '#domain/text/nearest-name.ts';
import { inNfc, normalized } from '#domain/text/nfc.ts';
import { withoutEnd } from '#domain/text/without-end.ts';
import * as delivery from '#domain/webhooks/delivery.ts';
import { maskedBody } from '#domain/webhooks/masked-body.ts';
import { readCertificate } from '#infrastructure/http/peer-certificate.ts';
import { retryAfterMs } from '#infrastructure/http/retry.ts';
import { foreignSchema, plain } from '#infrastructure/json-schema/foreign-schema.ts';
import * as plainYaml from '#infrastructure/yaml/plain-yaml.ts';
import * as yamlEntry from '#infrastructure/yaml/yaml-entry.ts';
import { salesCrmWebhookSource, signingWebhookSource, trackerWebhookSource } from '#test/support/services/vendors.ts';
import { sentTo } from '#test/support/webhooks/sent-to.ts';

/** Reads a text as somebody outside could send it, wherever the function takes one. */
type Read = (text: string) => unknown;

/** What each exported function of a file reads: how it is given a text, or why its work cannot grow with one. */
export type Readers = Readonly<Record<string, Readonly<Record<string, Read | string>>>>;

/** The files with readers of deliveries, reaction notes, notes, client documents, OpenAPI documents, templates and forms. */
export const readerFiles: readonly string[] = [
  'adapters/services/*/*/webhook-{source,payload}.ts',
  'adapters/services/tracker/jira/{adf-*,jql}.ts',
  'adapters/services/webhooks/webhook-{signature,time}.ts',
  'domain/webhooks/{delivery,masked-body}.ts',
  'domain/reaction-notes/*.ts',
  'adapters/reactions/*.ts',
  'domain/notes/**/*.ts',
  'adapters/vault-folder/{notes,patch}/*.ts',
  'adapters/vault-folder/index/{link-graph,note-metadata}.ts',
  'adapters/vault-rest/{media-types,patch-headers}.ts',
  'domain/text/{folded-name,index-of-text,nfc}.ts',
  'adapters/services/changes/kept-values.ts',
  'domain/shared/query-fields.ts',
  'infrastructure/yaml/*.ts',
  'adapters/client-documents/*.ts',
  'domain/oauth/{authorization-request,client,client-document,redirect-uri}.ts',
  'adapters/services/from-openapi/*.ts',
  'adapters/templates/*.ts',
  'adapters/http/requests/*.ts',
  'adapters/input/*.ts',
  'infrastructure/http/form-reader.ts',
];

const day = { year: 2026, month: 3, day: 31 };
const time = { hour: 9, minute: 5, second: 0 };
const noText = 'takes no text from outside';
const inThread = 'runs in threads only, within a limit of processor time';
const inVaultThread = 'runs in threads with a deadline where a text or its frontmatter is large';
const ofDocument = 'reads a part of the document, which `fromOpenApi` is given as a whole';
const ofHeaders = 'reads headers, which Node bounds to 16 KiB together';

const json = (value: unknown) => Buffer.from(JSON.stringify(value));
const sent = (service: string, body: unknown, headers: Readonly<Record<string, string>> = {}) =>
  ({ ...sentTo(service), headers, query: {}, body: json(body) }) as const;
/** Verifies and splits a delivery, and reads each of its parts. */
const received = (source: WebhookSource, body: unknown) => source.parts(body).map((part) => source.read(part.body, 0));
const paragraph = (text: string) => ({
  type: 'doc',
  version: 1,
  content: [{ type: 'paragraph', content: [{ type: 'text', text }] }],
});
const deal = (text: string) => ({
  event: 'updated.deal',
  meta: { action: 'updated', object: 'deal', id: 1, timestamp: text },
  current: { id: 1, title: text, status: text, [text]: text, list: [text] },
  previous: { title: text, [text]: text },
});
const document = (text: string) => ({
  event: 'document_state_changed',
  data: { id: '1', name: text, status: text, date_modified: text, [text]: text },
});
const records = (text: string) => ({
  token: text,
  event: 'Deals.edit',
  module: 'Deals',
  ids: Array.from({ length: text.length / 16 }, (_, index) => String(index)),
  affected_values: Array.from({ length: text.length / 16 }, (_, index) => ({ record_id: String(index), values: {} })),
  [text]: 1,
});
const issue = (text: string) => ({
  type: 'Issue',
  action: 'update',
  data: { id: '1', title: text, description: text, labels: [{ name: text }], [text]: text },
  updatedFrom: { [text]: text },
  url: text,
});
const dealEvent = (text: string): SalesCrmEvent => ({
  service: 'sales_crm',
  name: 'updated.deal',
  record: { service: 'sales_crm', kind: 'deal', id: '1' },
  occurredAt: 0,
  deal: { id: '1', title: text, status: text, value: 1, currency: text },
  current: Object.fromEntries(text.split(' ').map((word, index) => [`${word}${index}`, text.slice(0, 20)])),
  previous: { [text]: text },
});
const written = (text: string): WrittenReaction => ({
  path: text,
  values: {
    reaction: text,
    when: [text],
    note: text,
    once: text,
    set: { [text]: text },
    do: [{ [text]: { [text]: text } }],
    ...Object.fromEntries(text.split('').map((word, index) => [`${word}${index}`, 1])),
  },
  lineOf: () => 1,
  body: text,
  bodyLine: 1,
  errors: [],
  isYaml: true,
});
const checks = {
  senders: ['tracker'],
  folder: 'Reactions',
  expression: () => null,
  template: () => null,
  schedule: () => null,
  call: (name: string) => ({ operation: null, nearest: nearestName(name, ['tracker.issues.create']), errors: [] }),
};
const add = () => undefined;
const occasion = (text: string) => ({
  reaction: text,
  once: text,
  record: { service: 'tracker', kind: text, id: text } as const,
  event: text,
  occurredAt: 0,
});
const client = (text: string) => ({ id: text, name: text, redirectUris: [text], secret: text });
const raw = (text: string) => ({
  client_id: [text],
  redirect_uri: [text],
  state: [text],
  code_challenge: [text],
  code_challenge_method: [text],
  response_type: [text],
  prompt: [text],
  resource: [text],
  scope: [text],
});
const rules = { isStrict: true, isOwnResource: () => true, readsScope: true };
const openApi = (text: string) => ({
  openapi: '3.1.0',
  info: { title: text, version: text, description: text },
  servers: [{ url: `https://a.example/${text}` }],
  components: { schemas: { a: { type: 'object', title: text, description: text } } },
  paths: {
    '/things/{id}': {
      get: {
        operationId: text,
        summary: text,
        description: text,
        parameters: [
          { name: 'id', in: 'path', required: true, description: text, schema: { type: 'string', enum: [text] } },
          { name: text, in: 'query', description: text, schema: { $ref: '#/components/schemas/a' } },
        ],
        responses: { 200: { description: text, content: { [text]: { schema: { title: text } } } } },
      },
    },
  },
});
const style = { kind: 'form', explode: true } as const;
const record = z.strictObject({ title: z.string(), stage_id: z.number().optional(), email: z.email().optional() });
const end = (text: string) => text.length;

/** All readers, by file and name. */
export const readers: Readers = {
  'adapters/services/sales-crm/hubspot/webhook-source.ts': {
    hubspotWebhookSource: (text) =>
      received(hubspotWebhookSource(['s'], []), [
        { subscriptionType: text, objectId: 1, propertyName: text, occurredAt: 1 },
        { subscriptionType: 'deal.propertyChange', objectId: text, portalId: text, eventId: text },
      ]),
  },
  'adapters/services/tracker/jira/webhook-source.ts': {
    jiraWebhookSource: (text) =>
      received(jiraWebhookSource(['s']), {
        webhookEvent: 'jira:issue_updated',
        timestamp: 1,
        issue: { id: '1', key: text, fields: { summary: text, description: paragraph(text), labels: [text] } },
        changelog: { items: [{ field: text, fromString: text, toString: text }] },
      }),
    proofOf: noText,
  },
  'adapters/services/tracker/jira/adf-from-markdown.ts': { toAdf: (text) => toAdf(text) },
  'adapters/services/tracker/jira/adf-to-markdown.ts': { toMarkdown: (text) => toMarkdown(paragraph(text)) },
  'adapters/services/tracker/jira/adf-nodes.ts': { adfNodeOf: 'checks the shape of a node, which `toMarkdown` reads' },
  'adapters/services/tracker/jira/jql.ts': {
    quoted: (text) => quoted(text),
  },
  'adapters/services/sales-crm/neutral/webhook-source.ts': {
    salesCrmWebhookSource: (text) =>
      received(salesCrmWebhookSource({ secrets: ['s'], dialect: 'neutral' }), deal(text)),
  },
  'adapters/services/sales-crm/neutral/webhook-payload.ts': {
    partOf: (text) => salesCrm.partOf(deal(text)),
    readSalesCrmEvent: (text) => salesCrm.readSalesCrmEvent(deal(text), 0),
  },
  'adapters/services/signing/neutral/webhook-source.ts': {
    signingWebhookSource: (text) =>
      received(signingWebhookSource({ secrets: ['s'], dialect: 'neutral' }), [document(text), document(text)]),
  },
  'adapters/services/signing/neutral/webhook-payload.ts': {
    statedTimes: (text) => signing.statedTimes([{ date_created: text }]),
    partsOf: (text) => signing.partsOf([document(text)]),
    readSigningEvent: (text) => signing.readSigningEvent(document(text), 0),
  },
  'adapters/services/suite-crm/neutral/webhook-source.ts': {
    suiteCrmWebhookSource: (text) => suiteCrmWebhookSource({ secrets: ['s'], addresses: [] }).parts(records(text)),
  },
  'adapters/services/suite-crm/neutral/webhook-payload.ts': {
    tokenIn: (text) => suiteCrm.tokenIn({ token: text }),
    partsOf: (text) => suiteCrm.partsOf(records(text)),
    readSuiteCrmEvent: (text) => suiteCrm.readSuiteCrmEvent({ ...records(text), event: text, module: text }, 0),
  },
  'adapters/services/tracker/neutral/webhook-source.ts': {
    trackerPart: (text) => trackerPart({ ...issue(text), type: text, action: text }),
    trackerWebhookSource: (text) => received(trackerWebhookSource({ secrets: ['s'], dialect: 'neutral' }), issue(text)),
  },
  'adapters/services/tracker/neutral/webhook-payload.ts': {
    readTrackerEvent: (text) => tracker.readTrackerEvent(issue(text), 0),
    trackerEventName: (text) => tracker.trackerEventName('issue', text),
  },
  'adapters/services/webhooks/webhook-signature.ts': {
    signedBy: (text) => signature.signedBy(['s'], Buffer.from(text), text),
    signedInBase64By: (text) => signature.signedInBase64By(['s'], Buffer.from(text), text),
    secretGiven: (text) => signature.secretGiven(['s'], text),
    isHexSignature: signature.isHexSignature,
    isBase64Signature: signature.isBase64Signature,
    boundId: (text) => signature.boundId(text, { [text]: text }, [text]),
    jsonOf: (text) => signature.jsonOf(json({ [text]: [text] })),
  },
  'adapters/services/webhooks/webhook-time.ts': { realTime: noText, parsedTime },
  'domain/webhooks/delivery.ts': {
    singleHeader: (text) => delivery.singleHeader(sent('tracker', {}, { [text]: text }), text),
    singleParameter: ofHeaders,
    deliveryIdOf: (text) => delivery.deliveryIdOf(text, Buffer.from(text)),
  },
  'domain/webhooks/masked-body.ts': {
    maskedBody: (text) => maskedBody(JSON.stringify({ [text]: text }), ['secret-text']),
  },

  'domain/reaction-notes/event-data.ts': {
    eventData: (text) => eventData(dealEvent(text)),
    plainCopy: (text) => plainCopy({ [text]: [text], many: text.split('') }),
  },
  'domain/reaction-notes/fault-list.ts': { FaultList: noText },
  'domain/reaction-notes/filled-path.ts': {
    filledPath: (text) => filledPath.filledPath(`${text}.md`),
    isWithin: (text) => filledPath.isWithin(text, text),
  },
  'domain/reaction-notes/known-events.ts': {
    isKnownEvent: (text) => knownEvents.isKnownEvent({ service: 'suite_crm', name: text }),
    eventShapeOf: (text) => knownEvents.eventShapeOf(text),
    kindOfEvent: (text) => knownEvents.kindOfEvent({ service: 'tracker', name: text }),
    namesFor: (text) => knownEvents.namesFor({ kind: 'event', service: 'tracker', name: text }),
  },
  'domain/reaction-notes/once-key.ts': {
    onceKey: (text) => onceKey(occasion(text), text),
    onceMark: (text) => onceMark(occasion(text)),
  },
  'domain/reaction-notes/read-calls.ts': {
    readCalls: (text) => readCalls(written(text), checks, { template: () => undefined, add, faults: new FaultList() }),
    checkTemplates: (text) =>
      checkTemplates([text, { [text]: text.split('') }], [], { check: () => null, add, faults: new FaultList() }),
  },
  'domain/reaction-notes/read-reaction.ts': { readReaction: (text) => readReaction(written(text), checks) },
  'domain/reaction-notes/read-trigger.ts': {
    readTrigger: (text) =>
      [text, `schedule:${text}x`, { schedule: text, zone: text }].map((one) => readTrigger(one, text, checks)),
  },
  'domain/reaction-notes/reaction-note.ts': {
    triggerText: (text) => triggerText({ kind: 'schedule', pattern: text, zone: text }),
    statusLine: (text) => statusLine({ faults: [{ line: 1, message: text }] }),
  },
  'domain/reaction-notes/status-line.ts': {
    frontmatterPlace: (text) => [text, `---\n${text}`].map(statusLines.frontmatterPlace),
    isReactionText: (text) => [text, `---\n${text}`, `---\n${text}\n---\n`].map(statusLines.isReactionText),
    statusIn: (text) => statusLines.statusIn(`---\nreaction_status: ${text}\n---\n`),
    wholeDigest: statusLines.wholeDigest,
    textDigest: (text) => statusLines.textDigest(`---\nreaction_status: ${text}\n---\n${text}`),
    withStatusLine: (text) => statusLines.withStatusLine(`---\nreaction_status: ${text}\n---\n${text}`, text),
  },
  'domain/reaction-notes/templated-input.ts': {
    templatedErrors: (text) => templatedErrors({ [text]: text }, [{ path: [text], message: text }]),
  },
  'domain/reaction-notes/unread-reaction.ts': { unreadReaction: noText },
  'adapters/reactions/check-reaction.ts': { checkReaction: inThread },
  'adapters/reactions/expression.ts': { compileExpression: inThread },
  'adapters/reactions/fill-reaction.ts': { fillReaction: inThread },
  'adapters/reactions/formatted-time.ts': { formattedTime: (text) => formattedTime(new Date(0), text, 'UTC') },
  'adapters/reactions/reaction-threads.ts': { ReactionThreads: 'gives texts to threads, after `isReactionText`' },
  'adapters/reactions/read-written-reaction.ts': { readWrittenReaction: inThread },
  'adapters/reactions/schedule-times.ts': {
    scheduleError: inThread,
    latestTime: 'takes 200 characters, which a thread has checked',
  },
  'adapters/reactions/text-template.ts': { compileTemplate: inThread, namesInTemplate: inThread },
  'adapters/reactions/unquoted-lines.ts': {
    withQuotedLines: (text) => [`note: ${text}`, `if:${text}x`, text].map((one) => withQuotedLines(one, () => false)),
  },

  'domain/notes/code-block.ts': {
    codeBlockAt: (text) =>
      [text, `\`\`\`${text}`, `    ${text}`].map((one) => codeBlockAt(one.split('\n'), 0, { isInList: false })),
  },
  'domain/notes/dated-lines.ts': {
    hasBlockId: (text) => hasBlockId(`${text} ^event\n^event${text}`, 'event'),
    withDatedLine: afresh((text) => withDatedLine(`## History\n${text}`, 'History', '- 2026-01-01 00:00 UTC: x')),
  },
  'domain/notes/executable-code.ts': { executableCode },
  'domain/notes/frontmatter.ts': { hasValue: (text) => hasValue({ [text]: [text] }, text, [text]) },
  'domain/notes/heading.ts': {
    findHeading: afresh((text) => noteHeading.findHeading(`# ${text}\n${text}`, text)),
    headingFor: afresh((text) => noteHeading.headingFor(`# ${text}\n${text}`, text)),
    placeOfHeading: afresh((text) => noteHeading.placeOfHeading(`# ${text}\n${text}`, text)),
    placeOfNewHeading: (text) => noteHeading.placeOfNewHeading(text, patchHeadings.sectionsOf(text), { target: text }),
  },
  'domain/notes/inert-frontmatter.ts': { inertFrontmatter: (text) => inertFrontmatter({ text }) },
  'domain/notes/markdown-text.ts': {
    inlineText: markdownText.inlineText,
    linkTo: (text) => markdownText.linkTo(text, `https://x.example/${text}`),
    webAddress: (text) => [text, `https://${text}`].map(markdownText.webAddress),
    inertAddress: (text) => markdownText.inertAddress(`https://x.example/${text}`),
    cleanText: markdownText.cleanText,
  },
  'domain/notes/note-path.ts': {
    notePath: (text) => notePath.notePath('Issues/{title}.md', { title: text }, 'Issue 1'),
    notePathWith: (text) => notePath.notePathWith(`${text}.md`, text),
    safeName: notePath.safeName,
  },
  'domain/notes/outline.ts': { textLines },
  'domain/notes/plain-languages.ts': { plainLanguageOf },
  'domain/notes/quoted-markdown.ts': { quotedMarkdown },
  'domain/notes/templates.ts': {
    newNote: (text) =>
      newNote(defaultTemplates.issue, {
        frontmatter: { [text]: text },
        names: { title: text, identifier: text },
        untitled: text,
        texts: { title: text, description: text, link: text },
      }),
    fillBody: (text) => fillBody(`{title}${text}{title}`, { title: text }),
  },
  'domain/notes/week-of-year.ts': { weekOfYear: noText, utcMidnight: noText, localDay: noText },
  'domain/notes/markdown/block-id.ts': { blockIdAt: (text) => blockIdAt(text, 0, text.length) },
  'domain/notes/markdown/block-scanner.ts': { BlockScanner: 'is what `scanMarkdown` runs' },
  'domain/notes/markdown/html-block.ts': {
    htmlEndOf: (text) => [text, `<a ${text}`].map((one) => htmlEndOf(one, false)),
  },
  'domain/notes/markdown/line-cursor.ts': { LineCursor: 'is what `scanMarkdown` runs' },
  'domain/notes/markdown/line-marks.ts': {
    atxHeading: (text) => lineMarks.atxHeading(`# ${text}`, 0, end(text) + 2),
    fenceLength: (text) => lineMarks.fenceLength(text, 0, end(text)),
    closesFence: (text) => lineMarks.closesFence(text, 0, end(text), { code: 96, length: 3 }),
    underlineLevel: (text) => lineMarks.underlineLevel(text, 0, end(text)),
    isRule: (text) => lineMarks.isRule(text, 0, end(text)),
    listMark: (text) => lineMarks.listMark(text, 0, end(text), false),
    textAfterDefinitions: (text) =>
      [text, `[a]: ${text}`].map((one) => lineMarks.textAfterDefinitions(one, 0, end(one))),
  },
  'domain/notes/markdown/open-containers.ts': {
    OpenContainers: 'is what `scanMarkdown` runs',
    lineStart: (text) => lineStart(text, end(text)),
  },
  'domain/notes/markdown/scan-markdown.ts': { scanMarkdown: (text) => scanMarkdown(text) },

  'domain/notes/conditions.ts': {
    versionOf: 'is one digest',
    entityTag: 'is one digest',
    conditionOf: ofHeaders,
    isKnown: ofHeaders,
  },
  'domain/notes/content-type.ts': { contentTypeOf },
  'adapters/vault-folder/notes/file-failure.ts': { failureOf: noText, notAFile: noText },
  'adapters/vault-folder/notes/frontmatter-tokens.ts': {
    tokensOf: (text) => frontmatterTokens.tokensOf([text, text.split('')]),
    tokensEqualTo: frontmatterTokens.tokensEqualTo,
  },
  'domain/notes/inline-tags.ts': {
    inlineTags: (text) => inlineTags(text, 0),
    inlineTagPlaces: (text) => inlineTagPlaces(text, 0),
  },
  'adapters/vault-rest/media-types.ts': {
    representationOf: mediaTypes.representationOf,
    queryLanguageOf: mediaTypes.queryLanguageOf,
  },
  'adapters/vault-folder/notes/note-json.ts': { noteJsonOf: 'formats what `readMetadata` has read' },
  'domain/notes/note-parts.ts': {
    splitNote: (text) => [text, `---\n${text}`].map(noteText.splitNote),
    lineEndOf: noteText.lineEndOf,
  },
  'domain/notes/periodic-notes.ts': {
    findPeriod: periodicNotes.findPeriod,
    readDay: (text) => periodicNotes.readDay(text, text, text),
    dayOf: noText,
    periodicPath: (text) => periodicNotes.periodicPath(text, day, 'iso'),
    periodicName: noText,
    usualPeriodicPath: noText,
    periodicNotePath: (text) =>
      [
        { folder: text, format: 'YYYY' },
        { folder: '', format: text },
      ].map((place) => periodicNotes.periodicNotePath({ ...place, template: null }, day, 'iso')),
    notePathIn: periodicNotes.notePathIn,
  },
  'domain/notes/patch/patched-note.ts': { patchedNote: inVaultThread },
  'domain/notes/moment-format.ts': {
    dayTokens: noText,
    timeTokens: noText,
    formatted: (text) => formatted(text, dayTokens(day, 'sunday')),
  },
  'domain/notes/note-template.ts': {
    filledTemplate: (text) => filledTemplate(text, { day, title: text, time, weeks: 'sunday' }),
  },
  'adapters/vault-folder/notes/read-frontmatter.ts': { readFrontmatter: inVaultThread },
  'adapters/vault-folder/notes/periodic-settings.ts': { ConfiguredPeriods: 'reads files of at most 64 KiB' },
  'adapters/vault-folder/notes/journal-files.ts': { JournalFiles: 'reads files that the server wrote, with zod' },
  'adapters/vault-folder/notes/spellings.ts': {
    Spellings: 'reads paths, whose names the disk bounds to 255 bytes',
    placeOf: noText,
  },
  'adapters/vault-folder/notes/vault-folder.ts': { VaultFolder: 'reads and writes bytes' },
  'adapters/vault-folder/notes/file-stamp.ts': { stampsAt: noText },
  'adapters/vault-folder/notes/read-opened.ts': {
    readOpened: noText,
    contentOf: 'reads bytes',
    readFrom: 'reads bytes',
    writtenMeanwhile: 'reads bytes',
    toFileStat: noText,
  },
  'domain/notes/vault-path.ts': {
    readVaultPath: (text) => vaultPath.readVaultPath(text),
    vaultPathOf: (text) => vaultPath.vaultPathOf(text),
    isUnlisted: vaultPath.isUnlisted,
    isNote: vaultPath.isNote,
    noteName: vaultPath.noteName,
    isBlank: vaultPath.isBlank,
    encodeVaultPath: (text) => vaultPath.encodeVaultPath(text.toWellFormed()),
  },
  'domain/notes/sections.ts': {
    sectionsOf: patchHeadings.sectionsOf,
  },
  'domain/notes/which-heading.ts': {
    whichHeading: (text) => whichHeadings.whichHeading(`# ${text}\n# ${text}`, { target: text }),
    whichSection: noText,
    addressesOf: noText,
    addressIn: noText,
    ambiguousHeading: noText,
    areTooLong: noText,
    lineNumberAt: (text) => whichHeadings.lineNumberAt(text, text.length),
  },
  'domain/notes/patch/continued-block.ts': { continuesBlock: (text) => continuesBlock(text, text) },
  'domain/notes/patch/patch-block.ts': {
    patchBlock: inVaultThread,
    findBlock: (text) => findBlock(text, 'b'),
  },
  'adapters/vault-folder/patch/patch-frontmatter.ts': {
    patchFrontmatter: inVaultThread,
    readFrontmatterKey: inVaultThread,
  },
  'domain/notes/note-section.ts': {
    noteSection: (text) => [
      noteSection(text, sectionNamed(text)),
      noteSection(text, { kind: 'lines', from: 2, to: 1_000_000 }),
    ],
    sectionNamed,
  },
  'domain/notes/code-ranges.ts': { codeRanges: (text) => codeRanges(text) },
  'domain/notes/links/note-links.ts': {
    linksOf: (text) => linksOf(text),
    linkText: (text) => linkText({ kind: 'markdown', isQuoted: false }, text.toWellFormed(), text.toWellFormed()),
  },
  'domain/notes/links/file-meant.ts': {
    fileMeant: (text) => fileMeant.fileMeant(() => [], 'A.md', { kind: 'wiki', path: text }),
    comparedPath: fileMeant.comparedPath,
    afterMove: noText,
    bare: fileMeant.bare,
    folderOf: fileMeant.folderOf,
    isWrittenAs: (text) => fileMeant.isWrittenAs(text, text),
    relativePath: (text) => fileMeant.relativePath(text, text),
  },
  'domain/notes/links/moved-links.ts': {
    movedLinks: (text) => movedLinks(linksOf(text), 'A.md', { from: 'A.md', to: 'B/A.md', files: () => ['A.md'] }),
  },
  'domain/notes/links/heading-links.ts': {
    headingLinks: (text) =>
      headingLinks(linksOf(text), 'A.md', {
        note: 'A.md',
        paths: [['b']],
        index: 0,
        title: 'c',
        files: () => ['A.md'],
      }),
  },
  'domain/notes/edits/rename-heading.ts': {
    renameHeading: (text) => renameHeading(text, { target: 'b', title: 'c' }),
  },
  'domain/notes/edits/rename-tag.ts': {
    renameTag: (text) => renameTag(text, { tag: 'b', to: 'c' }, () => []),
    renamedTag: (text) => renamedTag(text, { tag: 'b', to: 'c' }),
  },
  'domain/notes/edits/appended.ts': { appended: 'joins two texts, and looks at the last byte of one' },
  'domain/notes/trash-id.ts': { newTrashId: noText, timeOfTrashId: (text) => timeOfTrashId(text) },
  'adapters/vault-folder/notes/trash-files.ts': { TrashFiles: 'moves files, and reads their names' },
  'domain/notes/edits/edited-note.ts': { spliced: 'writes what `replaceText` has found' },
  'domain/notes/edits/replace-text.ts': {
    replaceText: (text) => replaceText(text, { find: text.slice(1, 1_000), replace: 'b', expected: 0 }, () => true),
  },
  'domain/notes/patch/patch-heading.ts': { patchHeading: inVaultThread },
  'adapters/vault-rest/patch-headers.ts': {
    readPatchInstruction: ofHeaders,
    readOptionalTarget: ofHeaders,
    readTargetedWrite: ofHeaders,
  },
  'adapters/vault-folder/patch/patch-note.ts': {
    patchNote: inVaultThread,
    partOf: inVaultThread,
    documentMapOf: inVaultThread,
  },
  'domain/notes/patch/table-rows.ts': {
    tableWithRows: (text) => tableWithRows(`| a |\n| - |\n| ${text} |\n`, 'append', [[text]], '\n'),
  },
  'domain/text/nfc.ts': { inNfc, normalized: (text) => normalized(text, 'NFKC') },
  'domain/text/index-of-text.ts': {
    indexOfText: (text) => indexOfText.indexOfText(text, text.slice(1, 1_000)),
    containsText: (text) => indexOfText.containsText(text, text.slice(1, 1_000)),
  },
  'adapters/vault-folder/index/link-graph.ts': { linkTargetsOf, LinkGraph: 'holds what `linkTargetsOf` has read' },
  'adapters/vault-folder/index/note-metadata.ts': {
    readMetadata: inVaultThread,
    parseFrontmatter: inVaultThread,
  },
  'infrastructure/yaml/plain-yaml.ts': {
    readPlainYaml: (text) => [text, `a: ${text}`].map(plainYaml.readPlainYaml),
    plainValues: (text) => [text, `a: ${text}`].map(plainYaml.plainValues),
    printPlainYaml: (text) => plainYaml.printPlainYaml(text, [text]),
  },
  'infrastructure/yaml/yaml-map.ts': { isYamlMap: 'reads YAML up to a length, in threads where it is longer' },
  'infrastructure/yaml/yaml-words.ts': { wordsOfKey: 'reads YAML up to a length, in threads where it is longer' },
  'infrastructure/yaml/yaml-entry.ts': {
    yamlEntry: (text) => yamlEntry.yamlEntry(text, [text]),
    jsonEntry: (text) => yamlEntry.jsonEntry(text, { [text]: text }),
    frontmatterBlock: (text) => yamlEntry.frontmatterBlock({ title: text, [text]: [text] }),
    textWithFrontmatter: (text) => yamlEntry.textWithFrontmatter({ frontmatter: { [text]: text }, body: text }),
  },

  'adapters/client-documents/document-lifetime.ts': {
    documentLifetimeMs: (text) => documentLifetimeMs({ 'cache-control': text, age: text, expires: text }, 0),
  },
  'adapters/client-documents/fetched-client-documents.ts': {
    FetchedClientDocuments: 'fetches at most 5 KiB, for `readClientDocument`',
  },
  'domain/oauth/authorization-request.ts': {
    singleValue: (text) => singleValue([text, text]),
    checkRedirect: (text) => checkRedirect(raw(text), client(text)),
    readAuthorizationRequest: (text) =>
      readAuthorizationRequest(raw(text), { client: client(text), redirectUri: text, rules }),
  },
  'domain/oauth/client.ts': {
    registerClient: (text) =>
      registerClient({ name: text, redirectUris: [`https://a.example/${text}`] }, { random: () => 'r', now: 0 }),
    hasSecret: (text) => hasSecret({ secret: 's' }, text),
  },
  'domain/oauth/client-document.ts': {
    isDocumentAddress: (text) => clientDocument.isDocumentAddress(`https://a.example/${text}`),
    publisherOf: (text) => clientDocument.publisherOf({ id: `https://a.example/${text}` }),
    checkDocumentAddress: (text) => clientDocument.checkDocumentAddress(`https://a.example/${text}`),
    readClientDocument: (text) =>
      clientDocument.readClientDocument('https://a.example/c', {
        client_id: 'https://a.example/c',
        client_name: text,
        redirect_uris: [text, `https://a.example/${text}`],
      }),
  },
  'domain/oauth/redirect-uri.ts': {
    isAllowedRedirectUri: (text) => [text, `http://127.0.0.1${text}`].map(redirectUri.isAllowedRedirectUri),
    isLoopbackRedirectUri: (text) => [text, `http://127.0.0.1${text}`].map(redirectUri.isLoopbackRedirectUri),
    isLoopbackHost: redirectUri.isLoopbackHost,
    isRegisteredRedirectUri: (text) => redirectUri.isRegisteredRedirectUri([text], `http://127.0.0.1${text}`),
    withParameters: (text) => redirectUri.withParameters(`https://a.example/?${text}`, { state: text }),
  },

  'adapters/services/from-openapi/answer-types.ts': { shapeOf: ofDocument, itemOf: ofDocument },
  'adapters/services/from-openapi/answers.ts': { documentedAnswer: ofDocument, answersWithList: ofDocument },
  'adapters/services/from-openapi/auth.ts': { authOf: ofDocument, credentialsFor: noText },
  'adapters/services/from-openapi/compose-request.ts': {
    composeRequest: 'joins values that `parameter-text.ts` has written',
  },
  'adapters/services/from-openapi/document.ts': { OpenApiDocument: ofDocument },
  'adapters/services/from-openapi/documents.ts': { documentsOf: ofDocument, DocumentFinder: ofDocument },
  'adapters/services/from-openapi/errors.ts': {
    readError: (text) => openApiError('service', { message: text, errors: [{ detail: text, [text]: text }] }),
  },
  'adapters/services/from-openapi/found-operation.ts': { OperationFinder: ofDocument },
  'adapters/services/from-openapi/from-openapi.ts': {
    fromOpenApi: (text) => {
      try {
        return fromOpenApi(openApi(text), {
          key: 'inner',
          operations: [{ operation: 'GET /things/{id}', name: 'call' }] as never,
        });
      } catch (error) {
        return error;
      }
    },
  },
  'adapters/services/from-openapi/input-types.ts': { inputTypeOf: ofDocument },
  'adapters/services/from-openapi/inputs.ts': {
    placedInputs: ofDocument,
    queryInput: ofDocument,
    inputShape: ofDocument,
  },
  'adapters/services/from-openapi/json.ts': {
    jsonOr: noText,
    listOr: noText,
    textOrNull: noText,
    valueAt: noText,
  },
  'adapters/services/from-openapi/names.ts': {
    snakeCase: openApiNames.snakeCase,
    keyOf: openApiNames.keyOf,
    inputName: (text) =>
      (['path', 'query', 'header', 'body'] as const).map((place) => openApiNames.inputName(text, place)),
    shortened: openApiNames.shortened,
  },
  'adapters/services/from-openapi/oauth.ts': { openApiOAuth: noText },
  'adapters/services/from-openapi/operation-row.ts': { operationRow: ofDocument },
  'adapters/services/from-openapi/paging.ts': { pagingOf: ofDocument, firstPage: ofDocument },
  'adapters/services/from-openapi/parameter-text.ts': {
    textOf: (text) => parameterText.textOf({ [text]: text }),
    simpleParts: (text) => parameterText.simpleParts([text, text.split('')], style),
  },
  'adapters/services/from-openapi/parameters.ts': { parametersOf: ofDocument },
  'adapters/services/from-openapi/plain-schema.ts': {
    merged: ofDocument,
    sizeOf: ofDocument,
    withoutBranches: ofDocument,
    isObjectSchema: ofDocument,
  },
  'domain/shared/query-fields.ts': { queryFields },
  'adapters/services/from-openapi/read-pages.ts': {
    readPage: (text) => [
      readPage({ kind: 'link', input: 'page' } as never, 'page', {
        status: 200,
        body: [1],
        headers: { link: text },
        inputs: {},
      } as never),
      readPage({ kind: 'cursor', input: 'page', next: 'next', list: 'list' } as never, 'page', {
        status: 200,
        body: { list: [1], next: `https://a.example/?${text}` },
        headers: {},
        inputs: {},
      } as never),
    ],
  },
  'adapters/services/from-openapi/read-schema.ts': { readSchema: ofDocument },
  'adapters/services/from-openapi/readable-names.ts': { ReadableNames: ofDocument },
  'adapters/services/from-openapi/searches.ts': { isSearch: ofDocument, onlySearches: ofDocument },
  'adapters/services/from-openapi/request-body.ts': { requestBodyOf: ofDocument },
  'adapters/services/from-openapi/servers.ts': {
    serverOf: ofDocument,
    checkServers: ofDocument,
    checkSameServer: ofDocument,
  },

  'adapters/templates/read-template.ts': {
    readTemplate: (text) => [text, `---\npath: "{title}.md"\n---\n${text}`].map((one) => readTemplate('issue', one)),
    templateText: (text) => templateText('issue', { path: text, frontmatter: {}, body: text }),
  },
  'adapters/templates/template-files.ts': { openTemplates: 'reads files for `readTemplate`' },

  'adapters/http/requests/form-fields.ts': {
    formFields: 'gives the body to `queryFields`',
    fieldOf: (text) => fieldOf(queryFields(text), text),
  },
  'adapters/http/requests/form-guard.ts': { FormGuard: ofHeaders },
  'adapters/http/requests/known-browsers.ts': { KnownBrowsers: ofHeaders },
  'adapters/http/requests/operation-input.ts': { inputReader: 'splits a text once, or parses it as JSON' },
  'adapters/http/requests/own-page.ts': { isOwnPage: ofHeaders, isPageAtRoot: ofHeaders },
  'adapters/http/requests/rate-limit.ts': { addressOf: ofHeaders, isWithinLimit: ofHeaders },
  'adapters/http/requests/session-cookie.ts': { setSessionCookie: noText, clearSessionCookie: noText },
  'infrastructure/http/form-reader.ts': { FormError: noText, FormReader: 'reads a stream, with limits of its parts' },

  // Readers of other texts from outside.
  'domain/parties/party.ts': {
    partyOfPerson: (text) => partyOfPerson({ kind: 'person', id: '1', name: text } as never, {} as never),
  },
  'domain/reactions/deal-history.ts': {
    dealHistory: (text) => dealHistory({ previous: { [text]: 1 }, current: { [text]: 2 } }, () => null),
  },
  'domain/text/nearest-name.ts': {
    nearestName: (text) => nearestName(text, ['title', 'stage_id', 'owner'], ['title']),
  },
  'domain/text/without-end.ts': { withoutEnd: (text) => withoutEnd(text, '/') },
  'adapters/input/check-input.ts': {
    checkInput: (text) => checkInput(record, { title: 1, stage_id: text, email: text, [text]: text }),
    schemaErrors: (text) => schemaErrors(record, { title: 1, stage_id: text, email: text, [text]: text }),
  },
  'adapters/input/expectation.ts': {
    typeName: noText,
    describedValue,
    isMissing: noText,
    expectation: 'describes what checkInput found',
  },
  'adapters/input/texts.ts': {
    wholeNumber: (text) => wholeNumber(1).safeParse(text),
    jsonOrAsIs: (text) => [jsonOrAsIs(text), jsonOrAsIs(JSON.stringify({ [text]: text }))],
  },
  'adapters/http/requests/checked-input.ts': {
    checkedValue: (text) => checkedValue(record, { title: 1, stage_id: text, email: text, [text]: text }),
    checkedBody: (text) => checkedValue(record, { [text]: text }),
    checkedQuery: (text) => checkedQuery({ query: { stage_id: text, [text]: [text, text] } }, record),
    checkedFormQuery: (text) => checkedFormQuery({ query: { title: text, [text]: '' } }, record),
  },
  'adapters/services/suite-crm/inputs/coql.ts': {
    coqlError: (text) => coqlError(`select ${text}`),
    hasBounds,
    boundedCoql: (text) => boundedCoql(text, { limit: 1, offset: 0 }),
  },
  'adapters/services/suite-crm/inputs/criteria.ts': { criteriaError, escapeCriteriaValue },
  'adapters/services/vault/inputs.ts': { folderPath: (text) => folderPath(text) },
  'adapters/services/requests/given-address.ts': {
    givenAddressError: (text) => [givenAddressError(`https://${text}`), givenAddressError(`https://x/${text}`)],
  },
  'adapters/services/sales-crm/neutral/errors.ts': {
    readError: (text) => salesCrmError({ status: 400 }, { error: text, errors: { [text]: text } }),
  },
  'adapters/services/tracker/neutral/errors.ts': { textOf: (text) => textOf({ message: text }) },
  'adapters/services/requests/file-answer.ts': { nameIn },
  'infrastructure/json-schema/foreign-schema.ts': {
    foreignSchema: (text) => foreignSchema({ description: text, $ref: `#/$defs/${text}`, [text]: {} }),
    plain: (text) => plain(text),
  },
  'adapters/mcp-client/read-tools.ts': {
    readListed: (text) => {
      const inputSchema = { type: 'object', description: text };
      return readListed([{ name: text.slice(0, 200), description: text, inputSchema }], toolBounds);
    },
  },
  'adapters/mcp-client/read-offers.ts': {
    promptBounds: (text) =>
      readListed(
        [{ name: text.slice(0, 200), description: text, arguments: [{ name: text, description: text }] }],
        remoteOffers.promptBounds,
      ),
    templateBounds: (text) =>
      readListed([{ uriTemplate: text, name: text, description: text }], remoteOffers.templateBounds),
    resourcesPage: (text) =>
      remoteOffers.resourcesPage.safeParse({ resources: [{ uri: text, name: text, mimeType: text }] }),
    contentsAnswer: (text) =>
      remoteOffers.contentsAnswer.safeParse({ contents: [{ uri: text, mimeType: text, text }] }),
    promptAnswer: (text) =>
      remoteOffers.promptAnswer.safeParse({ messages: [{ role: 'user', content: { type: text, text } }] }),
  },
  'domain/remote-servers/remote-uri.ts': {
    readRemoteUri: (text) => [readRemoteUri(text), readRemoteUri(remoteUri('odd', text))],
    isRemoteTemplate: (text) => isRemoteTemplate(text),
  },
  'domain/remote-servers/remote-item.ts': { readItem: (text) => [readItem(text), readItem(`prompt:${text}`)] },
  'infrastructure/http/retry.ts': { retryAfterMs: (text) => retryAfterMs({ 'retry-after': text }, 0) },
  'infrastructure/http/peer-certificate.ts': { readCertificate },
  'adapters/http/answers/templates.ts': { shownText: (text) => shownText(text) },
  'adapters/http/middleware/authentication.ts': {
    credentialsOf: (text) => [credentialsOf({ cookie: text }), credentialsOf({ authorization: `Bearer ${text}` })],
  },
  'domain/text/folded-name.ts': { foldedName: (text) => foldedName(text, 'accents'), wordsInName },
  'adapters/services/changes/kept-values.ts': { isKeptAs: (text) => isKeptAs(text, `${text} `, true) },
};

/** Reads the text as one that was not read last: its sections are then known, and reading it again costs nothing. */
function afresh(read: (text: string) => unknown): (text: string) => unknown {
  return (text) => {
    patchHeadings.sectionsOf('');
    return read(text);
  };
}
